/** Messages about the vault. */
export const vaultMessages = {
  'vault.exported-encrypted': `{keys, plural, one {# key} other {# keys}} encrypted with a \
passphrase{unreadable, plural, =0 {} other {; # could not be read}}`,
  'vault.exported-plain': `{keys, plural, one {# key} other {# keys}} unencrypted, readable by \
anyone{unreadable, plural, =0 {} other {; # could not be read}}`,
  'vault.in-keychain': 'The key is in the keychain',
  'vault.key-changed': 'Vault key changed',
  'vault.keys-exported': 'Keys exported',
  'vault.protection-changed': 'Vault protection changed',
  'vault.reencrypted': `{values, plural, one {# value} other {# values}} encrypted with the new \
key{unreadable, plural, =0 {} other {. Damaged before and still unreadable: #}}`,
  'vault.recovered': 'Vault recovered',
  'vault.recovered-by-copy': 'With its recovery copy',
  'vault.recovery-copy-content': 'The vault’s key, wrapped with its own passphrase',
  'vault.recovery-copy-created': 'Recovery copy created',
  'vault.with-passphrase': 'The key is wrapped with a passphrase',
} as const
