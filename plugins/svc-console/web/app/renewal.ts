/** Reads what a page shows again now and then, while it is looked at and nothing is asked of the reader. */
import { useEffect, useRef } from 'preact/hooks'

const EVERY_MS = 15_000

/** @param renew replaces what is there when the answer is whole */
export function useRenewal(renew: () => void): void {
  const now = useRef(renew)
  now.current = renew
  useEffect(() => {
    const look = () => {
      if (!document.hidden && document.querySelector('dialog[open]') === null) now.current()
    }
    const timer = setInterval(look, EVERY_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
}
