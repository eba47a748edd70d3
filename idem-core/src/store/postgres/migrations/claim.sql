-- Claims the record when there is none, when it is expired, or when its revision is the one that
-- may be taken over. One call, one transaction; without a row to show for it the record is not
-- free, and the caller reads it in the same statement.
--
-- READ COMMITTED: each statement in here sees what was committed before it began. Two claims of a
-- new key meet at its primary key: the second waits for the first, then finds its row. Two claims
-- over one row meet at its lock, and the second looks at what the first has made of it.
--
-- Here and in what follows a lock is waited for less long than a caller waits for the answer: what
-- nobody waits for any more is not done later.
CREATE FUNCTION idem_claim(
    claimed bytea,
    claimed_scope text,
    claimed_operation_name text,
    claimed_operation bytea,
    claimed_method text,
    claimed_path text,
    claimed_fingerprint bytea,
    claimed_identity bytea,
    claimed_media_type text,
    claimed_payload bytea,
    claimant bytea,
    lease bigint,
    retention bigint,
    ttl bigint,
    over_owner bytea,
    over_version bigint,
    over_how text,
    over_conflict bytea,
    history_limit bigint,
    waits boolean,
    patience bigint,
    OUT granted_fence bigint,
    OUT granted_attempts bigint
)
LANGUAGE plpgsql
AS $$
DECLARE
    old record;
    lock_timeout_before text := current_setting('lock_timeout');
    moment bigint;
    waited bigint;
    is_expired boolean;
    begins_anew boolean;
BEGIN
    PERFORM set_config('lock_timeout', patience::text, true);
    LOOP
        -- A look without a lock: most that is not free is seen here, and replays do not queue.
        SELECT owner, version, state, lease_until, expires_at INTO old
        FROM idem_record WHERE id = claimed;
        IF FOUND THEN
            EXIT WHEN NOT (
                idem_is_expired(old.state, old.lease_until, old.expires_at, idem_now())
                OR (old.owner, old.version) IS NOT DISTINCT FROM (over_owner, over_version)
            );
            SELECT owner, version, state, lease_until, expires_at, fingerprint, identity INTO old
            FROM idem_record WHERE id = claimed FOR UPDATE;
            CONTINUE WHEN NOT FOUND;
            moment := idem_now();
            is_expired := idem_is_expired(old.state, old.lease_until, old.expires_at, moment);
            EXIT WHEN NOT (is_expired OR (old.owner, old.version) IS NOT DISTINCT FROM (over_owner, over_version));
            begins_anew := is_expired OR over_how = 'fresh';

            -- The execution that is taken over is remembered, if it had another payload.
            IF is_expired THEN
                DELETE FROM idem_history WHERE record = claimed;
            ELSIF NOT idem_is_same_payload(
                old.fingerprint, old.identity, claimed_fingerprint, claimed_identity
            ) THEN
                PERFORM idem_supersede(
                    claimed, claimed_fingerprint, claimed_identity, moment, history_limit
                );
            END IF;

            UPDATE idem_record SET
                operation_name = claimed_operation_name,
                operation = claimed_operation,
                method = claimed_method,
                path = claimed_path,
                fingerprint = claimed_fingerprint,
                identity = claimed_identity,
                state = 0,
                owner = claimant,
                version = version + 1,
                fence = greatest(fence + 1, moment),
                attempts = CASE WHEN begins_anew THEN 1 ELSE attempts + 1 END,
                taken_over = NOT is_expired,
                awaited = false,
                created_at = CASE WHEN begins_anew THEN moment ELSE created_at END,
                lease_until = moment + lease,
                expires_at = CASE
                    WHEN is_expired THEN moment + retention
                    ELSE greatest(moment + retention, disputed_until)
                END,
                due_from = moment + ttl,
                history = (SELECT count(*) FROM idem_history WHERE record = claimed),
                disputed_until = CASE WHEN is_expired THEN 0 ELSE disputed_until END,
                base = CASE
                    WHEN begins_anew THEN NULL
                    WHEN state = 1 THEN payload
                    ELSE base
                END,
                base_media_type = CASE
                    WHEN begins_anew THEN NULL
                    WHEN state = 1 THEN media_type
                    ELSE base_media_type
                END,
                media_type = claimed_media_type,
                payload = claimed_payload,
                status = NULL,
                headers = NULL,
                body = NULL
            WHERE id = claimed
            RETURNING fence, attempts INTO granted_fence, granted_attempts;

            -- What the claim means to the conflicts about the record. They are locked after it, here
            -- and everywhere, so that no two calls wait for each other.
            IF over_how = 'accepted' THEN
                UPDATE idem_conflict SET taken_at = moment, version = version + 1
                WHERE id = over_conflict AND record = claimed AND state = 1 AND taken_at IS NULL;
            ELSIF over_how = 'fresh' THEN
                PERFORM idem_expire_conflicts(claimed, false);
            END IF;
            EXIT;
        END IF;

        moment := idem_now();
        INSERT INTO idem_record (
            id, scope, operation_name, operation, method, path, fingerprint, identity,
            state, owner, version, fence, attempts, taken_over, awaited, lease_until, created_at,
            expires_at, due_from, history, disputed_until, media_type, payload
        )
        VALUES (
            claimed, claimed_scope, claimed_operation_name, claimed_operation, claimed_method,
            claimed_path, claimed_fingerprint, claimed_identity,
            0, claimant, 1, moment, 1, false, false, moment + lease, moment,
            moment + retention, moment + ttl, 0, 0, claimed_media_type, claimed_payload
        )
        ON CONFLICT (id) DO NOTHING;
        IF FOUND THEN
            granted_fence := moment;
            granted_attempts := 1;
            -- After a claim that this one waited for was rolled back: the lease begins now.
            waited := idem_now() - moment;
            IF waited > 10 THEN
                UPDATE idem_record SET
                    created_at = created_at + waited,
                    lease_until = lease_until + waited,
                    expires_at = expires_at + waited,
                    due_from = due_from + waited
                WHERE id = claimed;
            END IF;
            EXIT;
        END IF;
    END LOOP;

    -- Meets the end of that execution at the lock of the row: either it finds this written and tells
    -- of itself, or this finds it ended, and the caller reads so.
    IF waits AND granted_fence IS NULL THEN
        UPDATE idem_record SET awaited = true
        WHERE id = claimed AND state = 0 AND owner <> claimant AND NOT awaited;
    END IF;
    -- In a transaction that goes on with the handler's own statements.
    PERFORM set_config('lock_timeout', lock_timeout_before, true);
END
$$;

-- Remembers the execution that a claim with another payload takes over, forgets what is remembered
-- of the claim's own payload, for which the record itself stands now, and what is beyond the limit.
CREATE FUNCTION idem_supersede(
    superseded bytea,
    own_fingerprint bytea,
    own_identity bytea,
    moment bigint,
    history_limit bigint
) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO idem_history (
        record, version, fingerprint, identity, superseded_at, status, headers, body
    )
    SELECT id, version, fingerprint, identity, moment, status, headers, body
    FROM idem_record
    WHERE id = superseded;

    DELETE FROM idem_history
    WHERE record = superseded
      AND idem_is_same_payload(fingerprint, identity, own_fingerprint, own_identity);

    DELETE FROM idem_history
    WHERE record = superseded
      AND version NOT IN (
          SELECT version
          FROM idem_history
          WHERE record = superseded
          ORDER BY version DESC
          LIMIT history_limit
      );
$$;

-- Ends the conflicts about a record that begins anew (the open ones), or that was released and is
-- as if it had never been (the decided ones too). In the transaction that does so: nobody can decide
-- or run what was compared with an execution that no longer counts.
CREATE FUNCTION idem_expire_conflicts(about bytea, decided_too boolean) RETURNS void
LANGUAGE sql
AS $$
    UPDATE idem_conflict SET expires_at = moment
    FROM (SELECT idem_now() AS moment) AS clock
    WHERE record = about AND expires_at > moment
      AND (decided_too OR state = 0 OR (state = 1 AND taken_at IS NULL))
$$;
