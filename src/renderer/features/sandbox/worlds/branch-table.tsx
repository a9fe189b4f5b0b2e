import type { SandboxBranch } from '../../../../contract/sandbox/sandbox-branches.ts'
import styles from '../sandbox.module.css'
import { SandboxMoment } from '../sandbox-time.tsx'

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
          <th scope="col" style={{ width: 120 }}>
            Branch
          </th>
          <th scope="col" style={{ width: 170 }}>
            Copied at
          </th>
          <th scope="col">Partner API</th>
        </tr>
      </thead>
      <tbody>
        {branches.map(({ id, createdAt, partnerUrl }) => (
          <tr key={id} data-open={id === open || undefined}>
            <td>
              <button
                type="button"
                className={styles.path}
                aria-pressed={id === open}
                onClick={() => onOpen(id === open ? null : id)}
              >
                <b>{id}</b>
              </button>
            </td>
            <td data-quiet>{createdAt === null ? null : <SandboxMoment at={createdAt} />}</td>
            <td>
              <code>{partnerUrl}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
