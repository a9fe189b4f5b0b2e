import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { pageCode, preloadWhenIdle } from './page-code.ts'

const Sales = ({ name }: { name: string }) => createElement('h1', null, name)

test('renders a preloaded page in the first pass', async () => {
  const page = pageCode(() => Promise.resolve(Sales))
  await page.preload()
  expect(renderToStaticMarkup(createElement(page.Page, { name: 'Sales' }))).toBe('<h1>Sales</h1>')
})

test('loads the code of a page once', async () => {
  let loads = 0
  const page = pageCode(() => {
    loads += 1
    return Promise.resolve(Sales)
  })
  await page.preload()
  await page.preload()
  expect(loads).toBe(1)
})

test('tries again after a failed preload', async () => {
  let loads = 0
  const page = pageCode(() => {
    loads += 1
    return loads === 1 ? Promise.reject(new Error('no connection')) : Promise.resolve(Sales)
  })
  await page.preload()
  await page.preload()
  expect(renderToStaticMarkup(createElement(page.Page, { name: 'Sales' }))).toBe('<h1>Sales</h1>')
})

test('preloads each page only when the window is idle', async () => {
  const loaded: string[] = []
  const pages = ['offers', 'sales'].map((name) => ({
    preload: () => Promise.resolve(void loaded.push(name)),
  }))
  const waiting: (() => void)[] = []
  const stop = new AbortController()
  const done = preloadWhenIdle(pages, stop.signal, (run) => waiting.push(run))
  await expect.poll(() => waiting.length).toBe(1)
  expect(loaded).toEqual([])
  waiting.shift()?.()
  await expect.poll(() => loaded).toEqual(['offers'])
  await expect.poll(() => waiting.length).toBe(1)
  stop.abort()
  waiting.shift()?.()
  await done
  expect(loaded).toEqual(['offers'])
})

test('preloads nothing while a page that was opened loads', async () => {
  let load = (): void => {}
  const opened = pageCode(async () => {
    await new Promise<void>((resolve) => {
      load = resolve
    })
    return Sales
  })
  renderToStaticMarkup(createElement(opened.Page, { name: 'Sales' }))
  const loaded: string[] = []
  const other = { preload: () => Promise.resolve(void loaded.push('other')) }
  const done = preloadWhenIdle([other], new AbortController().signal, (run) => run())
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(loaded).toEqual([])
  load()
  await done
  expect(loaded).toEqual(['other'])
})
