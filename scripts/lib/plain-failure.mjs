/** A failure that a person can act on. Its message is printed without a stack. */
export class PlainFailure extends Error {}

/**
 * Runs the body of a command. A {@link PlainFailure} becomes one message on stderr and exit status
 * 1; anything else is a defect and keeps its stack.
 *
 * @param {() => Promise<number>} body returns the exit status
 */
export async function runCommand(body) {
  try {
    process.exitCode = await body()
  } catch (error) {
    if (!(error instanceof PlainFailure)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
