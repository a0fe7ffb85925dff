/** What a call throws; `null` where it throws nothing. */
export function caught(call: () => unknown): unknown {
  try {
    call()
    return null
  } catch (error) {
    return error
  }
}
