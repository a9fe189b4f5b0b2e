/** A text file that arrived in parts, with the facts of its last part. */
export async function joined<Part extends { text: string }>(
  parts: AsyncIterable<Part>,
): Promise<Part> {
  let all: Part | undefined
  for await (const part of parts) all = { ...part, text: (all?.text ?? '') + part.text }
  if (all === undefined) throw new Error('the file has no parts')
  return all
}
