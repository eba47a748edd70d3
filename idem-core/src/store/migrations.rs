//! Schemas that grow by numbered steps.

use super::StoreError;

/// The steps that a schema of `version` lacks, with their numbers.
///
/// # Errors
/// When it has steps that are not known here.
pub(super) fn missing<'m>(
    migrations: &'m [&'static str],
    version: i64,
) -> Result<impl Iterator<Item = (i64, &'static str)> + 'm, StoreError> {
    let done = usize::try_from(version).unwrap_or(usize::MAX);
    let Some(missing) = migrations.get(done..) else {
        let reason = format!("its schema has version {version}, newer than this idem: update idem");
        return Err(StoreError::Unusable { reason });
    };
    Ok((version + 1..).zip(missing.iter().copied()))
}
