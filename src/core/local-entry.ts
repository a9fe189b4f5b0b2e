import type { ActivityEntry } from '../contract/app/app.ts'

/** An activity entry about something other than one request to the service. */
export const localEntry = (
  entry: Pick<ActivityEntry, 'accountId' | 'what' | 'detail'> &
    Partial<Pick<ActivityEntry, 'outcome' | 'code'>>,
): Omit<ActivityEntry, 'id' | 'at'> => ({
  outcome: 'ok',
  code: null,
  status: null,
  requestId: null,
  durationMs: null,
  ...entry,
})
