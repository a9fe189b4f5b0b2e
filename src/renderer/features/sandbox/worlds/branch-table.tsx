import { t } from '../../../../contract/localization/localized.ts'
import type { SandboxBranch } from '../../../../contract/sandbox/sandbox-branches.ts'
import styles from '../sandbox.module.css'
import { SandboxMoment } from '../sandbox-time.tsx'

/** Whether a world file's answers were the same. */
export const replaySentence = ({
  requests,
  different,
}: NonNullable<SandboxBranch['replay']>): string =>
  different === 0
    ? t('screens.sandbox-world-same', { count: requests })
    : t('screens.sandbox-world-differ', { count: requests, different })

/** The running branches, newest last. */
export function BranchTable({
  branches,
  open,
  onOpen,
}: {
  branches: readonly SandboxBranch[]
  open: string | null
  onOpen: (id: string | null) => void
}) {
  return (
    <table className={styles.table} aria-label="Branches">
      <thead>
        <tr>
          <th scope="col" style={{ width: 200 }}>
            Branch
          </th>
          <th scope="col" style={{ width: 210 }}>
            From
          </th>
          <th scope="col">Partner API</th>
        </tr>
      </thead>
      <tbody>
        {branches.map(({ id, name, createdAt, replay, partnerUrl }) => (
          <tr key={id} data-open={id === open || undefined}>
            <td>
              <button
                type="button"
                className={styles.path}
                aria-pressed={id === open}
                onClick={() => onOpen(id === open ? null : id)}
              >
                <b>{name ?? id}</b>
                {name === null ? null : ` ${id}`}
              </button>
            </td>
            <td data-quiet data-tone={(replay?.different ?? 0) > 0 ? 'warn' : undefined}>
              {replay !== null ? (
                replaySentence(replay)
              ) : createdAt === null ? null : (
                <>
                  Copy of <SandboxMoment at={createdAt} />
                </>
              )}
            </td>
            <td>
              <code>{partnerUrl}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
