import { IconDatabaseOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/core/rpc.ts'
import { OfflineBar } from '../../ui/feedback/offline-bar.tsx'

export const useDiskFull = (): boolean =>
  useQuery(api.app.diskSpace.queryOptions()).data?.full ?? false

/** Shown while the disk of the data folder is full. */
export const DiskFullBar = () => (
  <OfflineBar
    title="This computer’s disk is full."
    icon={<IconDatabaseOff size={16} stroke={1.6} aria-hidden />}
  >
    Saved data is intact and readable, but nothing new can be saved. Changes fail, and running jobs
    wait. Free up disk space; Keydesk then resumes automatically.
  </OfflineBar>
)
