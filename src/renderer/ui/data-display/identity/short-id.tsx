/**
 * An id in a narrow column. Ids start with their kind and time, so only their ends differ. The
 * tooltip shows the full id.
 */
export function ShortId({ id }: { id: string }) {
  return (
    <span className="kd-mono" title={id}>
      {id.length > 14 ? `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}` : id}
    </span>
  )
}
