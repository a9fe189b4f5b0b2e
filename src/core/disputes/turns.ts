type Track = <Result>(accountId: string, work: Promise<Result>) => Promise<Result>

/**
 * Runs the answers and actions of each dispute one at a time, in the order of the calls. `track`
 * keeps the account's files open until a task is finished.
 */
export function createTurns(track: Track) {
  const queues = new Map<string, Promise<unknown>>()
  return <Result>(
    accountId: string,
    disputeId: string,
    task: () => Promise<Result>,
  ): Promise<Result> => {
    const key = `${accountId}\n${disputeId}`
    const turn = (queues.get(key) ?? Promise.resolve()).then(task, task)
    const done = track(accountId, turn).finally(() => {
      if (queues.get(key) === done) queues.delete(key)
    })
    queues.set(key, done)
    return done
  }
}
export type Turns = ReturnType<typeof createTurns>
