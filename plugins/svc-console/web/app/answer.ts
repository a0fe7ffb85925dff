/** One answer of an API, read when a component appears and again when asked to. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { recoveries } from './recoveries.ts'

export interface Answer<T> {
  /** `null` until it is there. */
  readonly value: T | null
  readonly error: unknown
  reload(): void
  /** Shows what another call answered, and not what was asked before it. */
  set(value: T): void
}

/** @param question read anew with each other one; `null` reads nothing @param known what is there already, and not asked for */
export function useAnswer<T>(question: string | null, read: () => Promise<T>, known: T | null = null): Answer<T> {
  const [state, setState] = useState<{ value: T | null; error: unknown }>({ value: known, error: null })
  const turn = useRef(0)
  const load = async () => {
    turn.current += 1
    const own = turn.current
    try {
      const value = await read()
      if (own === turn.current) setState({ value, error: null })
    } catch (error) {
      if (own === turn.current) setState(({ value }) => ({ value, error }))
    }
  }
  useEffect(() => {
    if (question !== null && (known === null || turn.current > 0)) void load()
  }, [question])
  // What failed in an outage is read again when it is over.
  useEffect(() => {
    if (recoveries.value > 0 && state.error !== null && question !== null) void load()
  }, [recoveries.value])
  const set = (value: T) => {
    turn.current += 1
    setState({ value, error: null })
  }
  return { ...state, reload: () => void load(), set }
}
