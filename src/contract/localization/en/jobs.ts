/** Messages about background jobs. */
export const jobMessages = {
  'jobs.canceled': '{title}: canceled',
  'jobs.finished': '{title}: finished',
  'jobs.paused': '{title}: paused',
  'jobs.progress': '{done, number} of {total, number}',
  'jobs.resumed': '{title}: resumed',
  'jobs.started': '{title}: started',
  'jobs.stopped': '{title}: stopped',
} as const
