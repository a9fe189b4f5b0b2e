import { create } from 'zustand'

/** State that only this window needs: open overlays and the navigation's width. */
export interface ScreenState {
  palette: boolean
  shortcuts: boolean
  undoHistory: boolean
  switcher: boolean
  /** The job list above the status bar. */
  jobs: boolean
  /** Null: depends on the window's width. */
  folded: boolean | null
  rekeying: string | null
}

export const useScreen = create<ScreenState>(() => ({
  palette: false,
  shortcuts: false,
  undoHistory: false,
  switcher: false,
  jobs: false,
  folded: null,
  rekeying: null,
}))

/** Opens or closes overlays and folds the navigation. */
export const setScreen = (part: Partial<ScreenState>): void => useScreen.setState(part)
