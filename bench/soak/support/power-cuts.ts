/** Cuts the power of a soak's processes instead of killing them: see `bench/soak/power.ts`. */
export interface PowerCuts {
  /**
   * The power of one process that keeps its data in this folder. `startCut`: it can also be cut
   * during its start.
   */
  supply(folder: string, startCut: boolean): Supply
}

export interface Supply {
  /** The process needs these variables. */
  readonly env: NodeJS.ProcessEnv
  /** Kills the process at one of its next changes of the folder. */
  cutSoon(): void
  /** When the process has ended: leaves the folder as the power loss could. */
  off(): void
}
