-- After an execution was superseded: what is remembered of the payload that takes over, which the
-- record itself stands for now, and what is beyond the newest ?4. In the transaction of the claim,
-- before it counts what is left.
DELETE FROM idem_history
WHERE record = ?1
  AND (
      (fingerprint = ?2 AND (identity IS ?3 OR identity IS NULL OR ?3 IS NULL))
      OR version NOT IN (
          SELECT version
          FROM idem_history
          WHERE record = ?1 AND NOT (fingerprint = ?2 AND (identity IS ?3 OR identity IS NULL OR ?3 IS NULL))
          ORDER BY version DESC
          LIMIT ?4
      )
  )
