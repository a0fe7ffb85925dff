/** Ctrl-C and its kin: the first signal stops in good order, the second at once. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @param stop is awaited; the process then ends with code 0, or 1 when it throws */
export function onStopSignal(stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      stop().then(
        () => process.exit(0),
        () => process.exit(1)
      )
    })
  }
}
