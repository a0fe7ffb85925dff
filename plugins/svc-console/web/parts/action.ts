/** Something that a person does and that may fail: once at a time, with its failure to show. */
import { useState } from 'preact/hooks'

export interface Action {
  readonly busy: boolean
  /** Of the last time; `null` while there is none. */
  readonly error: unknown
  /** @returns whether it was done */
  run(work: () => Promise<void>): Promise<boolean>
}

export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null })
  return {
    ...state,
    run: async (work) => {
      if (state.busy) return false
      setState({ busy: true, error: null })
      try {
        await work()
        setState({ busy: false, error: null })
        return true
      } catch (error) {
        setState({ busy: false, error })
        return false
      }
    }
  }
}
