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
LANGUAGE sql
SET lock_timeout = '4s'
AS $$
    WITH finished AS (
        UPDATE idem_record SET
            state = end_state,
            status = answer_status,
            headers = answer_headers,
            body = answer_body,
            lease_until = NULL,
            expires_at = greatest(idem_now() + ttl, disputed_until),
            version = version + 1
        WHERE id = held AND owner = holder AND fence = token
        RETURNING true
    )
    SELECT EXISTS (SELECT FROM finished)
$$;

-- Gives back a first claim under which nothing ran; a claim over an earlier execution stays.
CREATE FUNCTION idem_release(held bytea, holder bytea, token bigint) RETURNS boolean
LANGUAGE plpgsql
SET lock_timeout = '4s'
AS $$
DECLARE
    was_disputed_until bigint;
BEGIN
    DELETE FROM idem_record
    WHERE id = held AND owner = holder AND fence = token AND state = 0 AND NOT taken_over
    RETURNING disputed_until INTO was_disputed_until;
    IF was_disputed_until > 0 THEN
        PERFORM idem_expire_conflicts(held, true);
    END IF;
    RETURN was_disputed_until IS NOT NULL;
END
$$;
