import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { checkBoundaries, rules } from './lib/boundaries.mjs'

type Files = Record<string, string>

/** For each rule, the smallest tree that violates it and no other. */
const violations: Record<string, Files> = {
  'server-api': {
    'server/api/a.ts': "import './../domain/b.ts'",
    'server/domain/b.ts': 'export {}',
  },
  'server-domain': {
    'server/domain/a.ts': "import '../store/b.ts'",
    'server/store/b.ts': 'export {}',
  },
  'server-store': { 'server/store/a.ts': "import '../http/b.ts'", 'server/http/b.ts': 'export {}' },
  'server-http': { 'server/http/a.ts': "import '../store/b.ts'", 'server/store/b.ts': 'export {}' },
  'server-market': {
    'server/market/a.ts': "import '../store/b.ts'",
    'server/store/b.ts': 'export {}',
  },
  contract: { 'src/contract/a.ts': "import { useState } from 'react'", ...fakePackage('react') },
  core: { 'src/core/a.ts': "import '../renderer/b.ts'", 'src/renderer/b.ts': 'export {}' },
  'client-package': {
    'src/client-package/a.ts': "import '../contract/b.ts'",
    'src/contract/b.ts': 'export {}',
  },
  platform: {
    'src/platform/a.ts': "import type { B } from '../core/b.ts'",
    'src/core/b.ts': 'export {}',
  },
  hosts: { 'src/browser-host/a.ts': "import '../contract/b.ts'", 'src/contract/b.ts': 'export {}' },
  'hosts-are-separate': {
    'src/browser-host/a.ts': "import '../main/b.ts'",
    'src/main/b.ts': 'export {}',
  },
  'hosts-use-start-console': {
    'src/main/a.ts': "import '../core/offers/offers.ts'",
    'src/core/offers/offers.ts': 'export {}',
  },
  'preload-alone': {
    'src/preload/a.ts': "import type { B } from '../contract/b.ts'",
    'src/contract/b.ts': 'export {}',
  },
  renderer: { 'src/renderer/a.tsx': "import '../core/b.ts'", 'src/core/b.ts': 'export {}' },
  'renderer-takes-types-and-money': {
    'src/renderer/a.ts': "import { schema } from '../../server/api/b.ts'",
    'server/api/b.ts': 'export const schema = 1',
  },
  'backend-is-a-process': {
    'src/core/a.test.ts': "import '../../server/store/b.ts'",
    'server/store/b.ts': 'export {}',
  },
  'no-cycles': { 'src/core/a.ts': "import './b.ts'", 'src/core/b.ts': "import './a.ts'" },
  'everything-resolves': { 'src/core/a.ts': "import './nowhere.ts'" },
  'backend-without-console': {
    'server/main.ts': "import './../src/contract/b.ts'",
    'src/contract/b.ts': 'export {}',
  },
  'electron-only-in-its-host': {
    'src/platform/a.ts': "import { app } from 'electron'",
    ...fakePackage('electron'),
  },
  'core-entry-without-electron': {
    'src/main/core-entry.ts': "import './b.ts'",
    'src/main/b.ts': "import { app } from 'electron'",
    ...fakePackage('electron'),
  },
  'platform-types-only': {
    'src/core/a.ts': "import { keychain } from '../platform/b.ts'",
    'src/platform/b.ts': 'export const keychain = 1',
  },
  'features-by-their-main-file': {
    'src/core/offers/a.ts': "import '../orders/store.ts'",
    'src/core/orders/store.ts': 'export {}',
  },
  'renderer-without-node': { 'src/renderer/a.ts': "import 'node:fs'" },
  'contracts-without-node': { 'src/contract/a.ts': "import 'node:crypto'" },
  'domain-without-io': { 'server/domain/a.ts': "import 'node:fs'" },
  'one-sqlite': { 'server/store/a.ts': "import { DatabaseSync } from 'node:sqlite'" },
  'no-dev-dependencies-at-run-time': {
    'server/http/a.ts': "import 'a-tool'",
    ...fakePackage('a-tool'),
  },
  'scripts-without-packages': {
    'scripts/start.mjs': "import './lib/b.mjs'",
    'scripts/lib/b.mjs': "import 'zod'",
    ...fakePackage('zod'),
  },
}

/** Ordinary imports of the folders, which no rule must report. */
const lawful: Files = {
  ...fakePackage('zod'),
  ...fakePackage('better-sqlite3'),
  ...fakePackage('electron'),
  ...fakePackage('react'),
  'server/api/money.ts': "import 'zod'",
  'server/api/errors.ts': "import './money.ts'",
  'server/domain/orders/orders.ts': "import '../../api/errors.ts'\nimport 'node:crypto'",
  'server/store/orders.ts': "import '../domain/orders/orders.ts'\nimport 'better-sqlite3'",
  'server/http/app.ts': "import '../domain/orders/orders.ts'",
  'server/main.ts': "import './store/orders.ts'\nimport './http/app.ts'",
  'src/contract/offers.ts': "import '../../server/api/errors.ts'",
  'src/platform/keychain.ts': 'export type Keychain = 1',
  'src/core/create-core.ts': "import './offers/offers.ts'\nimport './offers/router.ts'",
  'src/core/start-console.ts': "import './create-core.ts'",
  'src/core/mirror/schema.ts': 'export type Schema = 1',
  'src/core/offers/offers.ts': [
    "import type { Keychain } from '../../platform/keychain.ts'",
    "import type { Schema } from '../mirror/schema.ts'",
    "import '../orders/orders.ts'",
  ].join('\n'),
  'src/core/offers/router.ts': "import '../../contract/offers.ts'",
  'src/core/orders/orders.ts': "import 'better-sqlite3'\nimport 'node:fs'",
  'src/main/index.ts': "import 'electron'\nimport '../platform/keychain.ts'",
  'src/main/core-entry.ts': "import '../core/start-console.ts'",
  'src/browser-host/index.ts': "import '../core/start-console.ts'",
  'src/preload/index.ts': "import 'electron'",
  'src/renderer/main.tsx': [
    "import 'react'",
    "import '../contract/offers.ts'",
    "import { cents } from '../../server/api/money.ts'",
    "import type { E } from '../../server/api/errors.ts'",
  ].join('\n'),
}

function fakePackage(name: string): Files {
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify({
      name,
      version: '1.0.0',
      main: 'index.js',
    }),
    [`node_modules/${name}/index.js`]: '',
  }
}

const planted: string[] = []

function plant(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-boundaries-'))
  planted.push(folder)
  const packageJson = {
    name: 'planted',
    type: 'module',
    dependencies: { zod: '1', 'better-sqlite3': '1' },
    devDependencies: { electron: '1', react: '1', 'a-tool': '1' },
  }
  // One allowed import, so that the parser finds something even for a rule about a missing module.
  const ground: Files = {
    'package.json': JSON.stringify(packageJson),
    'bench/a.ts': "import './b.ts'",
    'bench/b.ts': 'export {}',
  }
  for (const [path, text] of Object.entries({ ...ground, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

afterEach(() => {
  for (const folder of planted.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('boundaries', () => {
  test('plants one violation per rule, and no others', () => {
    expect(Object.keys(violations).sort()).toEqual(rules.map(({ name }) => name).sort())
  })

  test.each(rules.map(({ name }) => name))(
    '%s reports its violation, and no other rule does',
    async (name) => {
      const { violations: found } = await checkBoundaries(plant(violations[name] ?? {}))
      expect([...new Set(found.map(({ rule }) => rule))]).toEqual([name])
    },
  )

  test('reports no allowed imports', async () => {
    const { modules, violations: found } = await checkBoundaries(plant(lawful))
    expect(found).toEqual([])
    expect(modules).toBeGreaterThan(
      Object.keys(lawful).filter((path) => path.startsWith('src/')).length,
    )
  })

  test('fails when the parser finds nothing', async () => {
    const folder = plant({})
    rmSync(join(folder, 'bench'), { recursive: true })
    await expect(checkBoundaries(folder)).rejects.toThrow(/0 modules/)
  })
})
