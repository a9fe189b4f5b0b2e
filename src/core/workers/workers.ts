/** Worker threads: the protocol, both ends of it, and workers that are started again. */
export { serve } from './serve.ts'
export type { Call } from './serve.ts'
export { withWorker } from './worker-connection.ts'
export { createWorkers, WorkerExited } from './worker-team.ts'
export type { WorkerTeam } from './worker-team.ts'
