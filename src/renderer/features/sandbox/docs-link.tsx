import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/core/rpc.ts'
import { CopyButton } from '../../ui/controls/buttons/copy-button.tsx'
import styles from './sandbox.module.css'

/**
 * A part of the sandbox's API reference. The desktop window opens no other page, so it copies the
 * address.
 *
 * @param path of the reference, starting with `/docs`
 */
export function DocsLink({ path, name }: { path: string; name: string }) {
  const docsUrl = useQuery(api.sandbox.addresses.queryOptions()).data?.docsUrl
  const inBrowser = useQuery(api.app.info.queryOptions()).data?.host === 'browser'
  if (docsUrl === undefined) return null
  const url = new URL(path, docsUrl).href
  if (inBrowser)
    return (
      <a className={styles.reference} href={url} target="_blank" rel="noreferrer">
        {path === '/docs' ? 'Open the API reference' : 'API reference'}
      </a>
    )
  return (
    <CopyButton
      label={`Copy the address of the API reference: ${name}`}
      onCopy={() => navigator.clipboard.writeText(url)}
    />
  )
}
