import { create } from 'zustand'

/** What only the screen knows: which of its covers are open, and how the navigation stands. */
export interface Screen {
  palette: boolean
  shortcuts: boolean
  switcher: boolean
  /** The list of work under way, over the status bar. */
  jobs: boolean
  /** Null: by the window's width. */
  folded: boolean | null
  rekeying: string | null
}

export const useScreen = create<Screen>(() => ({
  palette: false,
  shortcuts: false,
  switcher: false,
  jobs: false,
  folded: null,
  rekeying: null,
}))

/** Opens, closes, folds. */
export const setScreen = (part: Partial<Screen>): void => useScreen.setState(part)
