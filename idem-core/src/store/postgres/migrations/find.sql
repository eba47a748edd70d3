-- The record with the time at which it was read, what is remembered of the payload that asks, and
-- the conflicts about it: all of one snapshot, since a take-over moves an execution from the one to
-- the other. One row for each execution that may be the asking payload's, newest first; mostly one
-- row without any. Whether the record is expired is for the reader to say.
CREATE FUNCTION idem_find(wanted bytea, asking_fingerprint bytea)
RETURNS TABLE (
    scope text, operation_name text, operation bytea, method text, path text,
    fingerprint bytea, identity bytea, state bigint, owner bytea, version bigint, fence bigint,
    attempts bigint, lease_until bigint, created_at bigint, expires_at bigint, history bigint,
    status bigint, headers bytea, media_type text, base_media_type text, payload bytea, base bytea,
    body bytea, now bigint,
    past_version bigint, past_fingerprint bytea, past_identity bytea, past_superseded_at bigint,
    past_status bigint, past_headers bytea, past_body bytea,
    conflict_ids bytea[], conflict_fingerprints bytea[], conflict_identities bytea[],
    conflict_states bigint[], conflict_taken boolean[]
)
LANGUAGE sql
AS $$
    SELECT
        r.scope, r.operation_name, r.operation, r.method, r.path,
        r.fingerprint, r.identity, r.state, r.owner, r.version, r.fence,
        r.attempts, r.lease_until, r.created_at, r.expires_at, r.history,
        r.status, r.headers, r.media_type, r.base_media_type, r.payload, r.base,
        r.body, moment,
        past.version, past.fingerprint, past.identity, past.superseded_at,
        past.status, past.headers, past.body,
        about.ids, about.fingerprints, about.identities, about.states, about.taken
    FROM (SELECT idem_now() AS moment) AS clock
    CROSS JOIN idem_record AS r
    LEFT JOIN idem_history AS past
        ON r.history > 0 AND past.record = r.id AND past.fingerprint = asking_fingerprint
    CROSS JOIN LATERAL (
        SELECT
            array_agg(c.id ORDER BY arrival) AS ids,
            array_agg(c.fingerprint ORDER BY arrival) AS fingerprints,
            array_agg(c.identity ORDER BY arrival) AS identities,
            array_agg(c.state::bigint ORDER BY arrival) AS states,
            array_agg(c.taken_at IS NOT NULL ORDER BY arrival) AS taken
        FROM idem_conflict AS c
        WHERE r.disputed_until > moment AND c.record = r.id AND c.expires_at > moment
    ) AS about
    WHERE r.id = wanted
    ORDER BY past.version DESC
$$;
