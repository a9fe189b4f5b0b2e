/** The findings of a soak: counted, and described so that a person can investigate. */
export type Kind = 'lost' | 'twice' | 'wrong'

export type Findings = {
  readonly counts: Readonly<Record<Kind, number>>
  lost(what: string): void
  twice(what: string): void
  wrong(what: string): void
}

/** `tell` receives each finding; `where` names the kill and the world. */
export function createFindings(tell: (text: string) => void, where: () => string): Findings {
  const counts: Record<Kind, number> = { lost: 0, twice: 0, wrong: 0 }
  const note =
    (kind: Kind) =>
    (what: string): void => {
      counts[kind] += 1
      tell(`${kind} (${where()}): ${what}`)
    }
  return { counts, lost: note('lost'), twice: note('twice'), wrong: note('wrong') }
}
