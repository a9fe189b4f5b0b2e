import type { Account } from '../../../../contract/app/accounts.ts'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import type { DisputeActionKind } from '../../../../contract/disputes/dispute-replies.ts'

export interface PaneHandle {
  reply: () => void
  templates: () => void
  fillTemplate: (place: number) => void
  act: (kind: DisputeActionKind) => void
  snooze: () => void
  done: () => void
  evidence: () => void
  /** Shows or hides the side panel if the window is too narrow for both. */
  togglePanel: () => void
  /** The dispute as the pane shows it; null until it is loaded. */
  shown: () => DisputeDetail | null
}

export interface PaneProps {
  account: Account
  disputeId: string
  canSend: boolean
  /** An action may have moved the dispute to another place in the list. */
  onActed: () => void
  onDone: () => void
  /** Selects the disputes about a batch in the list. */
  onSelectBatch: (batchId: string) => void
}
