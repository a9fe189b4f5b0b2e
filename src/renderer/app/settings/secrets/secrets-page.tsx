import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconChevronLeft } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import type { SecretFile, SecretInventory } from '../../../../contract/app/vault.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Body, Page, PageHeader } from '../../../ui/layout/page.tsx'
import { ModeBadge } from '../../../ui/data-display/identity/mode-badge.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from '../settings.module.css'
import { VaultSection } from './vault-section.tsx'

const protectionLabels: Record<
  SecretFile['secret'],
  { text: string; tone: 'ok' | 'warn' | 'neutral' }
> = {
  none: { text: 'no secrets', tone: 'neutral' },
  sealed: { text: 'encrypted', tone: 'ok' },
  clear: { text: 'unencrypted', tone: 'warn' },
  unknown: { text: 'unknown', tone: 'neutral' },
}

/** Where API keys and product keys are stored on this computer, collected when the page opens. */
export function SecretsPage() {
  const found = useQuery(api.vault.secretInventory.queryOptions()).data
  const vault = useQuery(api.vault.state.queryOptions()).data
  const [, go] = useLocation()
  return (
    <Page>
      <PageHeader
        title="Where your secrets are"
        before={
          <IconButton label="Back to Settings" onClick={() => go('/settings')}>
            <IconChevronLeft size={16} stroke={1.6} />
          </IconButton>
        }
        beside="On this computer, checked just now"
      />
      <Body>
        <div className={styles.page} data-wide>
          {found === undefined || vault === undefined ? null : (
            <>
              <ApiKeys found={found} />
              <VaultSection vault={vault} keychain={found.keychain} />
              <Files found={found} />
              <Unprotected found={found} />
            </>
          )}
        </div>
      </Body>
    </Page>
  )
}

function ApiKeys({ found: { keychain, accounts, vaultEntry } }: { found: SecretInventory }) {
  const where = {
    keychain: keychain.name,
    session: 'Memory, until Keydesk quits',
    missing: 'Not on this computer',
  }
  return (
    <section>
      <h2>API keys</h2>
      {keychain.available ? (
        <p className={styles.text}>
          {keychain.name} stores them under the name Keydesk. They aren’t in any Keydesk file.
        </p>
      ) : (
        <Notice tone="warn" title="No keychain is available on this computer.">
          {keychain.reason ?? ''} Keydesk keeps API keys in memory, asks for them again at the next
          start, and never writes them to a file.
        </Notice>
      )}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">API key</th>
            <th scope="col">Entry</th>
            <th scope="col">Encrypted in its journal</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.accountId}>
              <td>
                {account.name} <AccountBadge accountId={account.accountId} />
              </td>
              <td>{where[account.keyKept]}</td>
              <td className="kd-mono">{account.entry ?? '–'}</td>
              <td>
                {account.sealed.length === 0
                  ? 'Nothing'
                  : account.sealed
                      .map(({ kind, count }) => t(`screens.secrets-${kind}`, { count }))
                      .join(', ')}
              </td>
            </tr>
          ))}
          {vaultEntry === null ? null : (
            <tr>
              <td>The vault</td>
              <td>{keychain.name}</td>
              <td className="kd-mono">{vaultEntry}</td>
              <td>–</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

function Files({ found: { dataFolder, files } }: { found: SecretInventory }) {
  const client = useQueryClient()
  const copies = files.filter(({ copy }) => copy)
  const remove = useMutation({
    mutationFn: () => rpc.vault.removeCopies(),
    onSuccess: () => {
      toast({ title: 'Copies deleted' })
    },
    onError: (error) => {
      toastProblem(problemOf(error), null)
    },
    onSettled: () => client.invalidateQueries({ queryKey: api.vault.key() }),
  })
  return (
    <section>
      <h2>Files</h2>
      <p className={styles.text}>
        In <span className="kd-mono">{dataFolder}</span>
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Contents</th>
            <th scope="col">Secrets</th>
            <th scope="col" className={styles.end}>
              Size
            </th>
            <th scope="col" className={styles.end}>
              Permissions
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <tr key={file.path}>
              <td className="kd-mono">
                {file.path}
                {file.count > 1 ? ` (${t('counts.files', { count: file.count })})` : ''}
              </td>
              <td>{file.holds}</td>
              <td>
                <StatusTag tone={protectionLabels[file.secret].tone}>
                  {file.copy ? 'encrypted copy' : protectionLabels[file.secret].text}
                </StatusTag>
              </td>
              <td className={styles.end}>{formatBytes(file.bytes)}</td>
              <td className={styles.end}>
                {file.open ? (
                  <StatusTag tone="warn">{`${file.mode ?? ''}, readable by others`}</StatusTag>
                ) : (
                  (file.mode ?? 'inherited')
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {copies.length === 0 ? null : (
        <div className={styles.row}>
          <div>
            <b>{t('counts.copies', { count: copies.length })} from earlier</b>
            <p>
              Saved before an update, or set aside because of damage. You don’t need them while
              Keydesk works normally.
            </p>
          </div>
          <Button busy={remove.isPending} onClick={() => remove.mutate()}>
            Delete copies
          </Button>
        </div>
      )}
    </section>
  )
}

function Unprotected({ found: { keychain, sandboxKey } }: { found: SecretInventory }) {
  return (
    <section>
      <h2>Limits of this protection</h2>
      <ul className={styles.list}>
        <li>
          Names, prices, orders, names of imported files and line counts are stored unencrypted in
          the data folder.
        </li>
        <li>
          Anyone who uses your session on this computer while the vault is unlocked can read
          everything Keydesk can
          {keychain.available ? '; the keychain unlocks with your session' : ''}.
        </li>
        <li>A key is in this computer’s memory before it is encrypted and while it is shown.</li>
        <li>Overwritten data can remain, encrypted, in spare cells of a flash drive.</li>
        {sandboxKey ? (
          <li>
            The sandbox’s test keys: their encryption key is stored next to them, because the
            sandbox service needs it.
          </li>
        ) : null}
        <li>Files you exported or saved yourself: Keydesk doesn’t know where they are.</li>
      </ul>
    </section>
  )
}

/** The mode of an account, which tells accounts of the same name apart. */
function AccountBadge({ accountId }: { accountId: string }) {
  const accounts = useQuery(api.accounts.list.queryOptions()).data
  const account = accounts?.find(({ id }) => id === accountId)
  return account === undefined ? null : <ModeBadge mode={account.mode} small />
}
