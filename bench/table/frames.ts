import type { Page } from '@playwright/test'

export type Frames = {
  frames: number
  p50: number
  p95: number
  p99: number
  longest: number
  over50: number
}

/**
 * Scrolls the element `selector` by a number of pixels in every frame for a while, and turns around
 * at both ends; returns the duration of the frames in milliseconds.
 */
export async function scroll(
  page: Page,
  selector: string,
  pixelsPerFrame: number,
  forMs: number,
): Promise<Frames> {
  const took = await page.evaluate(
    async ([chosen, step, time]) => {
      const element = document.querySelector(String(chosen))
      if (element === null) throw new Error(`element not found: ${chosen}`)
      const times: number[] = []
      let by = Number(step)
      await new Promise<void>((resolve) => {
        let last = performance.now()
        const end = last + Number(time)
        const frame = (now: number): void => {
          times.push(now - last)
          last = now
          if (now >= end) return resolve()
          if (element.scrollTop + element.clientHeight >= element.scrollHeight - 2)
            by = -Math.abs(by)
          if (element.scrollTop <= 0) by = Math.abs(by)
          element.scrollTop += by
          requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
      })
      return times.slice(2)
    },
    [selector, pixelsPerFrame, forMs] as const,
  )
  const sorted = took.toSorted((a, b) => a - b)
  const quantile = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) /
    10
  return {
    frames: took.length,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    longest: quantile(1),
    over50: took.filter((ms) => ms > 50).length,
  }
}

/**
 * The same list in its simplest form: numbered lines of equal height, drawn where they are visible,
 * without cells, requests or a framework.
 */
export function bareList(rows: number): string {
  return `<!doctype html><style>
body { margin: 0; font: 13px sans-serif }
#list { height: 100vh; overflow: auto; contain: strict }
#space { position: relative; height: ${rows * 36}px }
#space > div { position: absolute; left: 0; right: 0; height: 36px }
</style>
<div id="list"><div id="space"></div></div><script>
const list = document.getElementById('list'), space = document.getElementById('space')
const draw = () => {
  const first = Math.max(0, Math.floor(list.scrollTop / 36) - 8)
  const last = Math.min(${rows}, first + Math.ceil(list.clientHeight / 36) + 16)
  let html = ''
  for (let at = first; at < last; at++)
    html += '<div style="transform:translateY(' + at * 36 + 'px)">Offer ' + at + '</div>'
  space.innerHTML = html
}
list.addEventListener('scroll', draw); draw()
</script>`
}
