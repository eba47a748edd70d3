-- One batch of what is expired: records with what they remember, then conflicts. Rows that another
-- call is writing are left to the next batch, so that batches of several instances go side by side
-- and nothing waits for them. A row that was written since it was found is looked at again.
CREATE FUNCTION idem_purge(batch bigint) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    moment bigint := idem_now();
    records bigint;
    conflicts bigint := 0;
BEGIN
    WITH due AS (
        SELECT id
        FROM idem_record
        WHERE due_from <= moment AND idem_is_expired(state, lease_until, expires_at, moment)
        ORDER BY due_from
        LIMIT batch
        FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM idem_record AS record USING due WHERE record.id = due.id RETURNING record.id
    ), forgotten AS (
        DELETE FROM idem_history USING gone WHERE record = gone.id
    )
    SELECT count(*) INTO records FROM gone;

    -- A conflict is kept until it has been expired for as long as it could be decided: until then
    -- people still see what came of it. A record outlives its open conflicts, so none is lost here.
    IF records < batch THEN
        WITH due AS (
            SELECT id
            FROM idem_conflict
            WHERE purge_at <= moment
            ORDER BY purge_at
            LIMIT batch - records
            FOR UPDATE SKIP LOCKED
        ), gone AS (
            DELETE FROM idem_conflict AS conflict USING due
            WHERE conflict.id = due.id
            RETURNING true
        )
        SELECT count(*) INTO conflicts FROM gone;
    END IF;
    RETURN records + conflicts;
END
$$;

-- All superseded executions of a record that is not expired, newest first.
CREATE FUNCTION idem_remembered(wanted bytea)
RETURNS TABLE (
    version bigint, fingerprint bytea, identity bytea, superseded_at bigint,
    status bigint, headers bytea, body bytea
)
LANGUAGE sql
AS $$
    SELECT
        past.version, past.fingerprint, past.identity, past.superseded_at,
        past.status, past.headers, past.body
    FROM (SELECT idem_now() AS moment) AS clock
    CROSS JOIN idem_record AS r
    JOIN idem_history AS past ON past.record = r.id
    WHERE r.id = wanted AND NOT idem_is_expired(r.state, r.lease_until, r.expires_at, moment)
    ORDER BY past.version DESC
$$;
