-- What the holder of a lease writes. One that was taken over has another owner or fence and touches
-- no row. Each returns whether it touched one.

-- A sign of life, while the execution is in progress. A conflict that was held meanwhile keeps the
-- record beyond the retention of this lease.
CREATE FUNCTION idem_renew(
    held bytea, holder bytea, token bigint, lease bigint, retention bigint
) RETURNS boolean
LANGUAGE sql
SET lock_timeout = '4s'
AS $$
    WITH renewed AS (
        UPDATE idem_record SET
            lease_until = idem_now() + lease,
            expires_at = greatest(idem_now() + retention, disputed_until),
            version = version + 1
        WHERE id = held AND owner = holder AND fence = token AND state = 0
        RETURNING true
    )
    SELECT EXISTS (SELECT FROM renewed)
$$;

-- The end of an execution. The owner alone may write its end again, which is harmless: a completion
-- whose answer was lost is simply repeated.
CREATE FUNCTION idem_finish(
    held bytea,
    holder bytea,
    token bigint,
    ttl bigint,
    end_state bigint,
    answer_status bigint,
    answer_headers bytea,
    answer_body bytea
) RETURNS boolean
LANGUAGE plpgsql
SET lock_timeout = '4s'
AS $$
DECLARE
    was_awaited boolean;
BEGIN
    UPDATE idem_record SET
        state = end_state,
        status = answer_status,
        headers = answer_headers,
        body = answer_body,
        lease_until = NULL,
        expires_at = greatest(idem_now() + ttl, disputed_until),
        version = version + 1
    WHERE id = held AND owner = holder AND fence = token
    RETURNING awaited INTO was_awaited;
    PERFORM idem_tell(held, was_awaited);
    RETURN was_awaited IS NOT NULL;
END
$$;

-- Gives back a first claim under which nothing ran; a claim over an earlier execution stays.
CREATE FUNCTION idem_release(held bytea, holder bytea, token bigint) RETURNS boolean
LANGUAGE plpgsql
SET lock_timeout = '4s'
AS $$
DECLARE
    was_awaited boolean;
    was_disputed_until bigint;
BEGIN
    DELETE FROM idem_record
    WHERE id = held AND owner = holder AND fence = token AND state = 0 AND NOT taken_over
    RETURNING awaited, disputed_until INTO was_awaited, was_disputed_until;
    IF was_disputed_until > 0 THEN
        PERFORM idem_expire_conflicts(held, true);
    END IF;
    PERFORM idem_tell(held, was_awaited);
    RETURN was_awaited IS NOT NULL;
END
$$;

-- Tells those that wait for an execution of its end, once that is committed. Not of every end: the
-- server lets one transaction at a time commit with a notification.
CREATE FUNCTION idem_tell(ended bytea, is_awaited boolean) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    IF is_awaited THEN
        PERFORM pg_notify('idem_ended', encode(ended, 'hex'));
    END IF;
END
$$;
