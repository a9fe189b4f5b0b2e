import type { Random } from '../ports/environment.ts'
import type { SettingsRepository } from '../ports/repositories.ts'

/**
 * The history that a catalogue cursor belongs to (Decision 41). A reset or a restore begins a new
 * one, because positions of the replaced state would silently skip changes. A restart continues the
 * same one. Empty until the first of them.
 */
const setting = 'catalogue_history'

export const catalogueHistory = (settings: SettingsRepository): string =>
  settings.get(setting) ?? ''

/** Begins a new history. Call it in the transaction that replaces the state. */
export function beginHistory(settings: SettingsRepository, random: Random): void {
  settings.set(setting, Buffer.from(random.bytes(6)).toString('base64url'))
}
