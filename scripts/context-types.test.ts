import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

/** Texts by path in `src/core`. */
type Files = Readonly<Record<string, string>>

/** Shared functions that take a context, and the files that list the members they use. */
const helpers = {
  createAccountScopes: ['lifecycle/account-scopes.ts'],
  startPolling: ['polling/poll-topic.ts'],
  pollSellers: ['polling/poll-topic.ts', 'polling/poll-sellers.ts'],
}

/** The folders of these functions. They serve all features and list members inline. */
const shared = ['lifecycle', 'polling']

const declaration = /type \w+Context = Pick<\s*CoreContext,([^>]*)>/g

/** The code that names or uses members, without imports and comments. */
const codeOf = (text: string): string =>
  text
    .replaceAll(/^import [^']*'[^']*'$/gm, '')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')

const quoted = (list: string): string[] =>
  [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)

const listedIn = (text: string): string[] =>
  [...text.matchAll(/Pick<\s*CoreContext,([^>]*)>/g)].flatMap(([, list = '']) => quoted(list))

/** The members that code reads from a context: one by one, or by destructuring it. */
function usedIn(code: string): string[] {
  const read = [...code.matchAll(/\bcontext\s*\??\.\s*(\w+)/g)].map(([, name = '']) => name)
  const destructured = [
    /\{([^{}]*)\}\s*=\s*(?:\w+\.)?context\b/g,
    /\bcontext:\s*\{([^{}]*)\}/g,
    /\{([^{}]*)\}:\s*(?:Pick<\s*)?\w+Context\b/g,
  ].flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(([, names = '']) =>
      names.split(',').map((name) => /\w*/.exec(name.trim())?.[0] ?? ''),
    ),
  )
  return [...read, ...destructured]
}

function usedByHelpers(code: string, files: Files): string[] {
  return Object.entries(helpers).flatMap(([name, declaredIn]) =>
    new RegExp(String.raw`\b${name}\b`).test(code)
      ? declaredIn.flatMap((path) => listedIn(files[path] ?? ''))
      : [],
  )
}

/** Each violation of the rule that a feature lists exactly the members of the context it uses. */
function violations(files: Files): string[] {
  const folders = Map.groupBy(
    Object.keys(files).filter((path) => path.includes('/')),
    (path) => path.slice(0, path.indexOf('/')),
  )
  return [...folders]
    .filter(([folder]) => !shared.includes(folder))
    .flatMap(([folder, paths]) => {
      const codes = paths.map((path) => ({ path, code: codeOf(files[path] ?? '') }))
      const whole = codes
        .filter(({ code }) => code.replaceAll(declaration, '').includes('CoreContext'))
        .map(({ path }) => `${path} names CoreContext`)
      const all = codes.map(({ code }) => code).join('\n')
      const used = new Set([...usedIn(all), ...usedByHelpers(all, files)])
      const unused = [...all.matchAll(declaration)]
        .flatMap(([, list = '']) => quoted(list))
        .filter((member) => !used.has(member))
        .map((member) => `${folder} lists ${member}, which it does not use`)
      return [...whole, ...unused]
    })
}

const core = join(root, 'src/core')
const product = (): Files =>
  Object.fromEntries(
    globSync('**/*.ts', { cwd: core, exclude: ['**/*.test.ts', '**/testing/**'] }).map((path) => [
      path,
      readFileSync(join(core, path), 'utf8'),
    ]),
  )

describe('the context of a feature', () => {
  test('lists only members that the feature uses, and is its only mention of CoreContext', () => {
    const files = product()
    expect(listedIn(files['offers/context.ts'] ?? '')).toContain('clock')
    expect(violations(files)).toEqual([])
  })

  test('is reported when a file takes the complete CoreContext instead', () => {
    const start = "import type { CoreContext } from '../context.ts'\n"
    expect(
      violations({
        'a/a.ts': `${start}export const a = (context: CoreContext) => context.clock.now()`,
        'b/b.ts': `${start}type BContext = CoreContext`,
        'c/c.ts': `${start}type Parts = { context: Omit<CoreContext, 'host'> }`,
        'd/context.ts': `${start}/** Part of CoreContext. */\nexport type DContext = Pick<CoreContext, 'clock'>`,
        'd/d.ts': 'export const d = ({ clock }: DContext) => clock.now()',
        'lifecycle/list.ts': `${start}export const start = (context: CoreContext) => context`,
      }),
    ).toEqual(['a/a.ts names CoreContext', 'b/b.ts names CoreContext', 'c/c.ts names CoreContext'])
  })

  test('is reported when it lists a member that no file of the feature uses', () => {
    const members = "'clock' | 'random' | 'vault' | 'jobs' | 'host' | 'mirrors'"
    expect(
      violations({
        'a/context.ts': `export type AContext = Pick<CoreContext, ${members}>`,
        'a/a.ts':
          'const { clock, jobs: list } = parts.context\nconst at = session.context\n  .random.id()',
        'a/inner/b.ts': "export const b = ({ vault }: Pick<AContext, 'vault'>) => vault",
        'b/b.ts': 'export const path = context.mirrors.path(parts.host)',
      }),
    ).toEqual(['a lists host, which it does not use', 'a lists mirrors, which it does not use'])
  })

  test('may list a member that a shared function uses for the feature', () => {
    const accountScopes = "({ accounts }: Pick<CoreContext, 'accounts'>) => accounts.list()"
    expect(
      violations({
        'lifecycle/account-scopes.ts': `export const createAccountScopes = ${accountScopes}`,
        'a/a.ts': "type AContext = Pick<CoreContext, 'accounts'>\ncreateAccountScopes(context)",
        'b/b.ts': "type BContext = Pick<CoreContext, 'accounts'>\nstart(context)",
      }),
    ).toEqual(['b lists accounts, which it does not use'])
  })
})
