/** As many rows and cells as the catalogue shows in a window of 1440 × 900. */
const ROWS = 22
const COLUMNS = 9

/**
 * A page with a search box and a plain table in which all cells change with each letter; it records
 * when the rows of each key press were painted.
 */
export const barePage = `<!doctype html><style>body{margin:0;font:13px sans-serif}td{width:130px;height:33px}</style>
<input type="search" aria-label="Search">
<table>${`<tr>${'<td></td>'.repeat(COLUMNS)}</tr>`.repeat(ROWS)}</table><script>
const cells = [...document.querySelectorAll('td')], times = { rows: 0, counts: 0 }
let pressed = 0, letters = 0, tell = () => {}
const painted = () => new Promise((resolve) => { if (times.rows > 0) resolve(); else tell = resolve })
Object.assign(window, { times, painted })
document.addEventListener('keydown', (event) => { times.rows = 0; pressed = event.timeStamp }, true)
document.querySelector('input').addEventListener('input', () => setTimeout(() => {
  letters += 1
  cells.forEach((cell, at) => { cell.textContent = 'Product ' + (at * letters) % 977 })
  requestAnimationFrame(() => setTimeout(() => { times.rows = performance.now() - pressed; tell() }))
}))
</script>`
