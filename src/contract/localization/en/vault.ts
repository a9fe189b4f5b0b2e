/** Messages about the vault. */
export const vaultMessages = {
  'vault.exported-encrypted': `{keys, plural, one {# key} other {# keys}} encrypted with a \
passphrase{unreadable, plural, =0 {} other {; # could not be read}}`,
  'vault.exported-plain': `{keys, plural, one {# key} other {# keys}} unencrypted, readable by \
anyone{unreadable, plural, =0 {} other {; # could not be read}}`,
  'vault.for-add-authority': 'Add a certificate authority',
  'vault.for-back-up': 'Create a backup',
  'vault.for-change-proof': 'Change the second proof',
  'vault.for-confirm-address': 'Send an API key to a changed address',
  'vault.for-copy-vault-key': 'Make a recovery copy',
  'vault.for-export-keys': 'Export keys',
  'vault.for-protect-vault': 'Change what protects the vault',
  'vault.for-remove-account': 'Remove an account',
  'vault.for-replace-vault-key': 'Replace the vault’s key',
  'vault.for-restore': 'Restore a backup',
  'vault.for-set-proxy': 'Change the proxy',
  'vault.in-keychain': 'The key is in the keychain',
  'vault.key-changed': 'Vault key changed',
  'vault.keys-exported': 'Keys exported',
  'vault.proof-given': 'Passphrase confirmed',
  'vault.proof-removed': 'Second proof removed',
  'vault.proof-removed-effect':
    'Keydesk no longer asks for a passphrase before keys are exported or their protection changes.',
  'vault.proof-security-passphrase': 'A security passphrase is required from now on',
  'vault.proof-set': 'Second proof set',
  'vault.protection-changed': 'Vault protection changed',
  'vault.reencrypted': `{values, plural, one {# value} other {# values}} encrypted with the new \
key{unreadable, plural, =0 {} other {. Damaged before and still unreadable: #}}`,
  'vault.recovered': 'Vault recovered',
  'vault.recovered-by-copy': 'With its recovery copy',
  'vault.recovery-copy-content': 'The vault’s key, wrapped with its own passphrase',
  'vault.recovery-copy-created': 'Recovery copy created',
  'vault.right-passphrase': 'Right passphrase after wrong ones',
  'vault.strengthened': 'Passphrase protection strengthened',
  'vault.strengthened-cost': 'The vault’s key is wrapped again at the present cost',
  'vault.unlocked': 'Vault unlocked',
  'vault.unlocked-by-passphrase': 'With its passphrase',
  'vault.unproven': 'Done without a second proof. If it wasn’t you, check Activity',
  'vault.with-passphrase': 'The key is wrapped with a passphrase',
  'vault.wrong-in-a-row':
    '{wrong, plural, one {# wrong passphrase} other {# wrong passphrases}} in a row',
  'vault.wrong-passphrase': 'Wrong passphrase',
  'vault.wrong-passphrases': '{wrong} wrong passphrases in a row',
  'vault.wrong-passphrases-wait': `If that wasn’t you, someone may be guessing. Each further wrong one makes the \
next wait longer.`,
} as const
