-- Keeps an attempt for people to decide, if its record is unexpired and still at the execution that
-- it was compared with. Under the lock of the record: a retry that is held at the same moment is
-- seen here, or waits and then sees this one.
CREATE FUNCTION idem_hold(
    held bytea,
    seen bytea,
    new_id bytea,
    new_ttl bigint,
    open_limit bigint,
    new_scope text,
    new_operation_name text,
    new_operation bytea,
    new_method text,
    new_path text,
    new_fingerprint bytea,
    new_identity bytea,
    new_changed text,
    new_media_type text,
    new_payload bytea,
    OUT outcome text,
    OUT conflict bytea
)
LANGUAGE plpgsql
SET lock_timeout = '4s'
AS $$
DECLARE
    original record;
    moment bigint;
BEGIN
    SELECT owner, state, lease_until, expires_at, fingerprint, media_type, payload INTO original
    FROM idem_record WHERE id = held FOR UPDATE;
    moment := idem_now();
    IF NOT FOUND OR original.owner <> seen
       OR idem_is_expired(original.state, original.lease_until, original.expires_at, moment) THEN
        outcome := 'moved';
        RETURN;
    END IF;

    SELECT id INTO conflict
    FROM idem_conflict
    WHERE record = held AND expires_at > moment
      AND idem_is_same_payload(fingerprint, identity, new_fingerprint, new_identity)
    ORDER BY arrival
    LIMIT 1;
    IF FOUND THEN
        outcome := 'held';
        RETURN;
    END IF;

    IF open_limit <= (
        SELECT count(*)
        FROM idem_conflict
        WHERE record = held AND expires_at > moment
          AND (state = 0 OR (state = 1 AND taken_at IS NULL))
    ) THEN
        outcome := 'full';
        RETURN;
    END IF;

    INSERT INTO idem_conflict (
        id, version, state, held_at, expires_at, ttl, record, scope, operation_name, operation,
        method, path, fingerprint, identity, original_fingerprint, changed, media_type, payload,
        original_media_type, original_payload
    )
    VALUES (
        new_id, 1, 0, moment, moment + new_ttl, new_ttl, held, new_scope, new_operation_name,
        new_operation, new_method, new_path, new_fingerprint, new_identity,
        original.fingerprint, new_changed, new_media_type, new_payload,
        original.media_type, original.payload
    );
    PERFORM idem_dispute(held, moment + new_ttl, moment);
    outcome := 'held';
    conflict := new_id;
END
$$;

-- Keeps an unexpired record for as long as a conflict about it can be decided or run. Its revision
-- stays, and with it whatever its holder or a claim over it compares.
CREATE FUNCTION idem_dispute(disputed bytea, until bigint, moment bigint) RETURNS void
LANGUAGE sql
AS $$
    UPDATE idem_record SET
        expires_at = greatest(expires_at, until),
        disputed_until = greatest(disputed_until, until)
    WHERE id = disputed AND NOT idem_is_expired(state, lease_until, expires_at, moment)
$$;

-- A decision: of two people who have seen the same version the second touches no row, and so does
-- one who decides what has expired meanwhile. What was decided is kept for another ttl. The record
-- is locked before the conflict, as in a claim over it. Returns whether the decision counts.
CREATE FUNCTION idem_decide(
    decided bytea,
    seen_version bigint,
    ruling bigint,
    decider text,
    given_reason text
) RETURNS boolean
LANGUAGE plpgsql
SET lock_timeout = '4s'
AS $$
DECLARE
    about bytea;
    until bigint;
    moment bigint;
BEGIN
    SELECT record INTO about FROM idem_conflict WHERE id = decided;
    PERFORM FROM idem_record WHERE id = about FOR UPDATE;
    moment := idem_now();
    UPDATE idem_conflict SET
        state = ruling,
        version = version + 1,
        decided_at = moment,
        decided_by = decider,
        reason = given_reason,
        expires_at = moment + ttl
    WHERE id = decided AND version = seen_version AND state = 0 AND expires_at > moment
    RETURNING expires_at INTO until;
    IF until IS NULL THEN
        RETURN false;
    END IF;
    PERFORM idem_dispute(about, until, moment);
    RETURN true;
END
$$;
