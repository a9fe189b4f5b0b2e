import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { FileSettings, ImportFile } from '../../../contract/keys/import-records.ts'
import { Failure, failure } from '../../failure.ts'
import type { KeyImportContext } from '../context.ts'
import type { FileChoices, FileResult } from '../view/file-view.ts'
import { profileRecord } from './profile-schema.ts'
import { createProfileStore } from './profile-store.ts'
import type { ProfileRow } from './profile-store.ts'

type Outputs = InferContractRouterOutputs<Contract['imports']>

/**
 * A profile's content: the layout of the file it was saved from, how the file is read, and the
 * offers its lines go to.
 */
type ProfileContent = { shape: string; fixed: Partial<FileSettings>; chosen: FileChoices['chosen'] }

/** Saved profiles of an account. They can't be read while the vault is locked. */
export function createProfiles(context: KeyImportContext, accountId: string) {
  const store = createProfileStore(context.mirrors.database(accountId))

  function contentOf(row: ProfileRow): ProfileContent | null {
    try {
      return JSON.parse(
        context.vault.open(accountId, profileRecord(row.profile_id), row.content).toString('utf8'),
      ) as ProfileContent
    } catch (error) {
      if (error instanceof Failure) return null
      throw error
    }
  }
  const find = (profileId: string): { row: ProfileRow; content: ProfileContent } => {
    const row = store.find(profileId)
    if (row === undefined)
      throw failure('NOT_FOUND', 'This profile was removed.', 'Choose another profile.')
    context.vault.assertUnlocked()
    const content = contentOf(row)
    if (content === null)
      throw failure(
        'VAULT_DAMAGED',
        'This profile can’t be read any more.',
        'Remove it and save it again.',
      )
    return { row, content }
  }

  return {
    list: (): Outputs['profiles'] =>
      store.list().map((row) => ({
        profileId: row.profile_id,
        name: row.name,
        savedAt: row.saved_at,
        offers: contentOf(row)?.chosen.filter(({ offerId }) => offerId !== null).length ?? 0,
      })),
    /** Profiles by the layout of the files they were saved from. */
    byShape(): (shape: string) => ImportFile['offered'] {
      const known = store
        .list()
        .map((row) => ({ profileId: row.profile_id, name: row.name, shape: contentOf(row)?.shape }))
      return (shape) =>
        known
          .filter((each) => each.shape === shape)
          .map(({ profileId, name }) => ({ profileId, name }))
    },
    save(
      name: string,
      { read, targets }: FileResult,
      choices: FileChoices,
      offerId: string | null,
    ): { profileId: string; name: string } {
      const profileId = context.random.id()
      // The next file of the same supplier may have another number of lines above its header.
      const { sheet, skipLines: _, ...settings } = read.settings
      const left = new Set(
        choices.chosen.filter((each) => each.offerId === null).map(({ value }) => value),
      )
      const chosen = targets
        .filter((target) => target.offerId !== null || left.has(target.value))
        .map(({ value, offerId: id }) => ({
          value,
          offerId: id ?? (value === null ? offerId : null),
        }))
      const content: ProfileContent = {
        shape: read.shape,
        fixed: read.kind === 'workbook' ? { ...settings, sheet } : settings,
        chosen,
      }
      store.save({
        profileId,
        name,
        at: context.clock.now(),
        content: context.vault.seal(
          accountId,
          profileRecord(profileId),
          Buffer.from(JSON.stringify(content)),
        ),
      })
      return { profileId, name }
    },
    /** Applies a profile to a file's choices. Offers that no longer exist must be chosen again. */
    apply(
      profileId: string,
      choices: FileChoices,
      isOffer: (offerId: string) => boolean,
    ): FileChoices {
      const { row, content } = find(profileId)
      const remembered = content.chosen.filter(
        ({ offerId }) => offerId === null || isOffer(offerId),
      )
      const values = new Set(remembered.map(({ value }) => value))
      return {
        ...choices,
        fixed: { ...choices.fixed, ...content.fixed },
        profile: { profileId, name: row.name },
        chosen: [...choices.chosen.filter(({ value }) => !values.has(value)), ...remembered],
      }
    },
    remove(profileId: string): void {
      if (!store.remove(profileId))
        throw failure('NOT_FOUND', 'This profile was removed.', 'Choose another profile.')
    },
  }
}
