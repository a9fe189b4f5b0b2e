import { FileButton, NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconServer, IconShieldLock, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { NetworkState, ProxyChoice } from '../../../../contract/app/network.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatDay } from '../../../ui/format.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { RestoredSettings } from './restored-settings.tsx'
import { ProxyDialog } from './proxy-dialog.tsx'
import { SettingRow } from '../setting-row.tsx'
import styles from '../settings.module.css'

const proxyLabels: Record<ProxyChoice['use'], string> = {
  system: 'System settings',
  none: 'None',
  own: 'Custom…',
}

const onError = (error: Error): void => {
  toastProblem(problemOf(error), null)
}

/**
 * How to reach services outside this computer and which certificate authorities to trust: by the
 * system's settings, or as chosen on this page.
 */
export function NetworkSection({ inBrowser }: { inBrowser: boolean }) {
  const client = useQueryClient()
  const state = useQuery(api.network.state.queryOptions()).data
  const show = (now: NetworkState): void => {
    client.setQueryData(api.network.state.queryKey(), now)
  }
  if (state === undefined) return null
  return (
    <section>
      <h2>Network</h2>
      {state.restored === null ? null : (
        <RestoredSettings restored={state.restored} onChanged={show} />
      )}
      <ProxyRow proxy={state.proxy} inBrowser={inBrowser} onChanged={show} />
      <Authorities authorities={state.authorities} inBrowser={inBrowser} onChanged={show} />
    </section>
  )
}

function ProxyRow({
  proxy,
  inBrowser,
  onChanged,
}: {
  proxy: ProxyChoice
  inBrowser: boolean
  onChanged: (now: NetworkState) => void
}) {
  const [asking, setAsking] = useState(false)
  const choose = useMutation({
    mutationFn: (proxy: ProxyChoice) => rpc.network.setProxy({ proxy }),
    onSuccess: onChanged,
    onError,
  })
  const ofSystem = inBrowser
    ? 'Uses HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, except for NO_PROXY.'
    : 'Uses the system’s proxy settings for each address.'
  const present =
    proxy.use === 'system'
      ? ofSystem
      : proxy.use === 'none'
        ? 'Keydesk connects to services directly.'
        : `${proxy.address}${proxy.except === '' ? '' : `, but for ${proxy.except}`}`
  return (
    <>
      <SettingRow name="Proxy" text={`${present} Connections to the sandbox are always direct.`}>
        <div className={styles.buttons}>
          {proxy.use === 'own' ? <Button onClick={() => setAsking(true)}>Change…</Button> : null}
          <NativeSelect
            aria-label="Proxy"
            w={172}
            value={proxy.use}
            data={Object.entries(proxyLabels).map(([value, label]) => ({ value, label }))}
            onChange={(event) => {
              const use = event.currentTarget.value
              if (use === 'own') setAsking(true)
              else choose.mutate({ use: use === 'none' ? 'none' : 'system' })
            }}
          />
        </div>
      </SettingRow>
      {asking ? (
        <ProxyDialog
          present={proxy}
          onClose={() => setAsking(false)}
          onChoose={async (chosen) => {
            await choose.mutateAsync(chosen)
          }}
        />
      ) : null}
    </>
  )
}

function Authorities({
  authorities,
  inBrowser,
  onChanged,
}: {
  authorities: NetworkState['authorities']
  inBrowser: boolean
  onChanged: (now: NetworkState) => void
}) {
  const [adding, setAdding] = useState<File | null>(null)
  const add = useMutation({
    mutationFn: async (file: File) => rpc.network.addAuthorities({ pem: await file.text() }),
    onSuccess: (now) => {
      onChanged(now)
      toast({
        title: 'Certificate authorities added',
        text: 'Keydesk trusts them from the next connection on, in addition to those of this computer.',
      })
    },
    onError,
  })
  const remove = useMutation({
    mutationFn: (fingerprint: string) => rpc.network.removeAuthority({ fingerprint }),
    onSuccess: onChanged,
    onError,
  })
  const trusted = inBrowser
    ? 'Those of this computer and of NODE_EXTRA_CA_CERTS'
    : 'Those of this computer'
  return (
    <>
      <SettingRow
        name="Certificate authorities"
        text={`${trusted}${authorities.length === 0 ? '.' : ', and these:'}`}
      >
        <FileButton onChange={setAdding} accept=".pem,.crt,.cer">
          {({ onClick }) => (
            <Button busy={add.isPending} onClick={onClick}>
              Add from a file…
            </Button>
          )}
        </FileButton>
      </SettingRow>
      {authorities.map(({ fingerprint, name, validTo }) => (
        <SettingRow
          key={fingerprint}
          name={name}
          text={
            <>
              <span className="kd-mono" title={fingerprint}>
                {fingerprint.slice(0, 23)}…
              </span>{' '}
              until {formatDay(validTo)}
            </>
          }
        >
          <IconButton label={`Stop trusting ${name}`} onClick={() => remove.mutate(fingerprint)}>
            <IconTrash size={16} stroke={1.6} />
          </IconButton>
        </SettingRow>
      ))}
      {adding === null ? null : (
        <ConfirmDialog
          opened
          account={null}
          title={`Trust the authorities in ${adding.name}?`}
          confirmLabel="Trust authorities"
          onClose={() => setAdding(null)}
          onConfirm={async () => {
            await add.mutateAsync(adding)
          }}
          effects={[
            {
              icon: <IconShieldLock size={16} stroke={1.6} />,
              what: 'Anyone with their private keys can impersonate any service.',
              more: 'Add only certificates from your network’s administrator.',
              tone: 'warn',
            },
            {
              icon: <IconServer size={16} stroke={1.6} />,
              what: 'Only Keydesk trusts them, until you remove them in Settings.',
              more: 'Nothing changes for other programs.',
            },
          ]}
        />
      )}
    </>
  )
}
