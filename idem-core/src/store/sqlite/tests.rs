use tempfile::TempDir;

use super::*;

#[tokio::test]
async fn a_newer_schema_is_refused_by_name() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    SqliteStore::open(&path).await.unwrap();
    let options = SqliteConnectOptions::new().filename(&path);
    let mut other = sqlx::ConnectOptions::connect(&options).await.unwrap();
    sqlx::query("INSERT INTO idem_schema (version) VALUES (99)").execute(&mut other).await.unwrap();
    let error = SqliteStore::open(&path).await.unwrap_err();
    assert!(error.to_string().contains("version 99"), "{error}");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    std::fs::write(&path, vec![b'x'; 4096]).unwrap();
    assert!(SqliteStore::open(&path).await.is_err());
}

#[tokio::test]
async fn a_damaged_record_is_an_error_and_leaves_the_others_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let options = SqliteConnectOptions::new().filename(&path);
    let mut other = sqlx::ConnectOptions::connect(&options).await.unwrap();
    let id = RecordId::from_digest(crate::digest::Digest::of(&[b"damaged"]));
    sqlx::query(
        "INSERT INTO idem_record (id, operation_name, operation, fingerprint, state, owner, version, fence, attempts,
             created_at, expires_at)
         VALUES (?1, 'pay', x'00', x'00', 1, x'00', 1, 1, 1, 1, 9000000000000)",
    )
    .bind(&id.digest().as_bytes()[..])
    .execute(&mut other)
    .await
    .unwrap();
    assert!(matches!(store.find(&id).await, Err(StoreError::Damaged { .. })));
    let fine = RecordId::from_digest(crate::digest::Digest::of(&[b"fine"]));
    assert_eq!(store.find(&fine).await.unwrap(), None);
}

#[tokio::test]
async fn the_store_stays_useful_when_a_batch_fails() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let store =
        SqliteStore::options(&path).busy_timeout(Duration::from_millis(50)).open().await.unwrap();
    let options = SqliteConnectOptions::new().filename(&path);
    let mut other = sqlx::ConnectOptions::connect(&options).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    assert!(store.purge(1).await.unwrap_err().is_retryable());
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    assert_eq!(store.purge(1).await.unwrap(), 0);
}
