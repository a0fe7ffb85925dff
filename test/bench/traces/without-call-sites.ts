/** Loads svc as if its call sites did not exist: the question after subscribers is answered in the source, and V8 drops the branch. */
import { registerHooks } from 'node:module'

const OWN_MODULE = /\/plugins\/svc-[a-z]+\/dist\/src\//
/** `operation.hasSubscribers`, but not the property of a channel itself. */
const QUESTION = /(?<![#\w.])(?!this\.)[\w.]+\.hasSubscribers\b/g

/** For modules that are imported after this call. @returns the number of call sites that were removed so far */
export function removeCallSites(): () => number {
  let removed = 0
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!OWN_MODULE.test(url) || loaded.source === undefined || loaded.source === null) return loaded
      const source = Buffer.from(loaded.source as Uint8Array).toString('utf8')
      const kept = source.replaceAll(QUESTION, () => {
        removed += 1
        return 'false'
      })
      return { ...loaded, source: kept }
    }
  })
  return () => removed
}
