import { IconDatabaseOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../lib/rpc.ts'
import { OfflineBar } from '../ui/offline-bar.tsx'

export const useDiskFull = (): boolean => useQuery(api.app.room.queryOptions()).data?.full ?? false

/** The disk of the data folder is full: what that means, and what to do. */
export const DiskFullBar = () => (
  <OfflineBar
    title="The disk of this machine is full."
    icon={<IconDatabaseOff size={16} stroke={1.6} aria-hidden />}
  >
    What is here is whole and can be read, but nothing more can be kept: changes fail, and what is
    under way waits. Free some space; it goes on by itself.
  </OfflineBar>
)
