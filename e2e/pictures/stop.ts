/** Called at each stop, when the page is at rest. */
export type Stop = (name: string) => Promise<void>
