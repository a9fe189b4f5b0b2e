/** Resolves to whether the work succeeded, as an undo must. Reports a failure. */
export const succeeds = (
  work: Promise<unknown>,
  report: (error: unknown) => void,
): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      report(error)
      return false
    },
  )
