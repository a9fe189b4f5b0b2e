/** Called at each stop, with the page standing still. */
export type Stop = (name: string) => Promise<void>
