/**
 * An id in a narrow column: ids begin alike, by kind and time, and their ends tell them apart. The
 * whole stands in its title.
 */
export function ShortId({ id }: { id: string }) {
  return (
    <span className="kd-mono" title={id}>
      {id.length > 14 ? `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}` : id}
    </span>
  )
}
