/** Properties of answers of svc that may be absent, as `operationId /pointer`, by hand. */

/** Absent in some answer, each for its reason; every other property of a success is always there. */
export const MAY_BE_ABSENT = [
  // Columns say what they have.
  ...['storedAs', 'hidden', 'sealed', 'default', 'maxLength', 'scale', 'values', 'check'].flatMap((name) => [
    `svc.orm.entities []/columns[]/${name}`,
    `svc.orm.entity /columns[]/${name}`,
    `svc.orm.graph /entities[]/columns[]/${name}`
  ]),
  ...['folded', 'where', 'method'].flatMap((name) => [
    `svc.orm.entities []/indexes[]/${name}`,
    `svc.orm.entity /indexes[]/${name}`,
    `svc.orm.graph /entities[]/indexes[]/${name}`
  ]),
  ...['entities []', 'entity ', 'graph /entities[]'].flatMap((name) => [
    `svc.orm.${name}/scope`,
    `svc.orm.${name}/tree`
  ]),
  // A call may have had none, or none that is known.
  'svc.orm.flow /connectors[]/slow[]/statement',
  // A database may have none.
  'svc.orm.health []/replicas',
  // A driver may not know.
  'svc.orm.health []/disconnectedSince',
  // Problems have as many parts as are known.
  ...['at', 'got', 'expected', 'fix'].map((name) => `svc.orm.schema []/problems[]/${name}`),
  ...['at', 'got', 'expected', 'fix', 'more'].map((name) => `svc.lints /items[]/${name}`),
  // A voter may give no reason, and a guard may have no subject.
  'svc.explain /proofs[]/clauses[]/attributes[]/votes[]/reason',
  'svc.explain /proofs[]/clauses[]/attributes[]/subject',
  'svc.explain /proofs[]/clauses[]/attributes[]/subject/value',
  'svc.ops.request /decisions[]/votes[]/reason',
  // A module may have no options.
  'svc.ops.system /modules[]/options',
  // What is sealed is not read for a listing.
  ...['headers', 'previousSecretEndsAt'].flatMap((name) => [
    `svc.webhooks.list /endpoints[]/${name}`,
    `svc.webhooks.create /endpoint/${name}`,
    `svc.webhooks.find /${name}`,
    `svc.webhooks.update /${name}`,
    `svc.webhooks.rotate /endpoint/${name}`
  ]),
  // On request; on the first page; where webhooks are on.
  'svc.webhooks.list /endpoints[]/recent',
  ...['enabled', 'nextCursor', 'pending'].map((name) => `svc.webhooks.deliveries /${name}`),
  // A queue in memory knows no age.
  'svc.webhooks.stats /queue/oldestS'
]
