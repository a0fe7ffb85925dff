/**
 * Exports that have moved or gone since an earlier version: the one list that `svc upgrade` rewrites imports by, and that
 * failed builds and imports look names up in. A test holds it against the exports of every version.
 */

/** Exports of one entry that another entry has now, under the same name. */
export interface MovedNames {
  /** Import specifier of the earlier version. */
  readonly from: string
  readonly to: string
  readonly names: readonly string[]
}

export interface RenamedName {
  readonly from: string
  readonly name: string
  readonly to: string
  readonly as: string
}

/** An export that is no more, and what takes its place. */
export interface RemovedName {
  readonly from: string
  readonly name: string
  readonly instead: string
}

const words = (text: string): string[] => text.trim().split(/\s+/)

export const MOVED: readonly MovedNames[] = [
  {
    from: 'svc-kernel',
    to: 'svc-host',
    names: words(`
      Application CheckedModule ConfigCheck ConfigText DevLog EnvCatalogue EnvEntry HttpsConfig ListenTarget LoadOptions
      ModuleEntry ServerConfig ServerParts SvcConfig TlsListener application banner checkConfig createServer defineConfig
      httpsCertificate httpsTarget listenProblem listenTarget loadModules locateProblems moduleNames readConfigText readEnv
      refuseToStart serve`)
  },
  { from: 'svc-kernel', to: 'svc-kernel/host', names: words('Paint formatProblem formatProblems terminalPaint') },
  {
    from: 'svc-orm',
    to: 'svc-orm/errors',
    names: words(`
      ConnectionUnavailable ConnectorNotFound DuplicateConnector EntityNotFound ForeignTransaction InvalidCriteria
      InvalidFindOptions InvalidValue LateConnector NotNullViolation NotReady ReadOnlyEntity RowNotFound RowsOff
      TransactionConflict TransactionOver UniqueViolation UnknownConnector UnknownCriteriaField UnknownEntity
      UnknownExportFormat UnknownRelation VersionConflict`)
  },
  {
    from: 'svc-orm',
    to: 'svc-stores/table',
    names: words(`
      Condition ConditionValue LikeCondition ListCondition NullCondition PoolState Selection SortKey UuidIds ValueCondition
      WriteWatch maskTarget runOperation runWork`)
  },
  {
    from: 'svc-security',
    to: 'svc-security/host',
    names: words('KeySetFile KeySetReading PublicJwk readKeySet rotateKeys')
  },
  {
    from: 'svc-kernel',
    to: 'svc-kernel/plugin',
    names: words(`
      ADMIN_SCOPE AccessEngine ApiTag AttributeCheck AuditAlert AuditCatalogueEntry AuditListing AuditRange
      BootReport Checked Clause DeclaredRoute DuplicateName ExpectedError GatesPort HealthChecks IDENTITY_OVER
      InvalidSecretBox InvalidSecretKey JuryExplanation JuryPort ListedRoute LiveIdentity MASK OptionsSchema
      OutageLog PluginMeta PrintedRoute ProofKind ProofSubject QueueDepths Registry RegistrySealed RouteConfig
      SaidOfProof SchemaFault SecretBox SecretKey StandardParts UnscopedAdminRoute adminChange adminRoute
      adoptAccessToken andThen answerRepeatedOutage auditAlert boundedValidation changedMeanwhile checkAccess
      checkOptions clientNetwork dataPath decorateOff describeRequirement developmentSecret expectedError factorList
      ifMatch isAmbient isAnnounced isForeignSchema isMachine isSecretField isSecretName isSecretParameter
      isStandardSchema isThenable isWritten jsonSchemaOf jsonSchemaSerializer listRoutes logFailure markFormatted
      markInvocation maskOptions mayBeCookie mayBeSecretName missingPackage nearestName onFirstUse openerOf
      optionalPackage pluginMeta printedRoutes problemsOf proofKind proofKinds protectOwnAnswers publishStatement
      randomId renewRegistries reserveDecorators routeConfigReader routeSecurity runInContext safeText serverHooks
      shownUrl standardParts standardValidator strictQuery tagVersion toUser undeclaredRoutes warnProblem withTimeout
      withTraits withholdFromCaches`)
  },
  {
    from: 'svc-orm',
    to: 'svc-orm/driver',
    names: words(`
      ColumnData CompiledEntity CompiledField CompiledIndex CompiledRelation ConnectorFlow ConversionData Declared
      Difference DriftPolicy DropData EntitiesOutcome EntityRepositories EntityRepositoriesParts ExecutedMigration
      FlowSettings FlowStatistics FoundColumn FoundInPlace FoundPart Latency LoadedMigration MigratedColumn
      MigratedIndex MigrationFault MigrationPort NativeClass Operation OrmConnector PlacedDefinition SchemaPort
      StandingTable StoredRow TableShape columnConversion compileEntities declaredEntities entityPlan filledValue isChecked
      isConverted isNarrower migrationFailed missingData parseCriteria problemOf refuseDrift refusedValues
      rowsComeBack snakeCase unexpectedState warnOfDrift warnOfPending`)
  },
  {
    from: 'svc-orm',
    to: 'svc-stores/table',
    names: words(`
      ConnectionFacts ConnectionHealth IdForm OpenTransaction`)
  },
  {
    from: 'svc-security',
    to: 'svc-security/stores',
    names: words(`
      AttemptCounter AttemptRecord AttemptsStore IdempotencyOpening IdempotencyRecord IdempotencyStore
      IdempotentAnswer NewPasskey NewSession NewToken NewUser OwnedToken PasskeyFilter PasskeyRecord PasskeySortField
      PasskeysStore SessionBounds SessionFilter SessionPatch SessionRecord SessionSortField SessionStore SocialAccount
      TokenFilter TokenKind TokenRecord TokenSortField TokensStore TotpRecord TotpStore UserFilter UserPatch
      UserRecord UserSortField UserStore`)
  },
  {
    from: 'svc-security',
    to: 'svc-security/host',
    names: words(`
      StoredKey newStoredKey`)
  },
  {
    from: 'svc-security',
    to: 'svc-security/errors',
    names: words(`
      AccountsOff AmbiguousCredentials ApiKeyLimit AuthenticationUnavailable BeyondOwnRights CrossSite
      CsrfTokenMissing DeadlineExceeded ForeignProof IdempotencyInFlight IdempotencyKeyInvalid IdempotencyKeyMissing
      IdempotencyMismatch IdempotencyUnavailable InvalidCredentials InvalidPassword InvalidSession InvalidToken
      InvalidVote LastAdministrator NoIdentity NoSigningKeys OriginRefused PasskeyInvalid PasskeyLimit
      PasswordKeptElsewhere PasswordsBusy PasswordsUnsupported ProofDue SecondFactorDue SessionKeyReserved
      SessionUnread Throttled TotpEnrolled TotpNotStarted Unauthenticated UsersElsewhere`)
  },
  {
    from: 'svc-webhooks',
    to: 'svc-webhooks/stores',
    names: words(`
      DeliveryFilter DeliveryPageQuery HistoryEntry HistoryStore NewWebhook RecoveryRow RecoveryState RecoveryStore
      StoredFilter WebhookFilter WebhookPatch WebhookRecord WebhookSortField WebhookStats WebhooksStore
      deliveriesStore historyStore recoveryStore webhooksStore`)
  },
  {
    from: 'svc-webhooks',
    to: 'svc-webhooks/errors',
    names: words(`
      BadEvents BadHeaders BadOverlap BadRange EndpointBusy HeadersStay InvalidCidr InvalidWebhookSecret
      MessageNotFound MessageRefused NoIdempotencyGate QueueFull RecoveryNotFound RecoveryRunning SecretUnreadable
      StoreTimeout UrlRefused WebhookNotFound WebhooksUnavailable`)
  },
  {
    from: 'svc-webhooks',
    to: 'svc-kernel/plugin',
    names: words('AuditAlert auditAlert')
  },
  {
    from: 'svc-stores',
    to: 'svc-stores/plugin',
    names: words(`
      BatchWriter BatchWriterParts CompletePage CursorPosition FilterType RecordShape ResealRows Resealed RingBuffer
      SealedRow SelectionFacts SelectionVerdict SortFields StoresSetting aroundCalls checkInteger checkText
      chooseStore compareText copyJson decodeCursor encodeCursor operationsOf readFilter readPage resealAtStart
      resealRows storablePatch storableRecord`)
  },
  {
    from: 'svc-queue',
    to: 'svc-queue/driver',
    names: words(`
      Changes DueJob HEARTBEAT_MS HeldJob MISSED_HEARTBEATS NewJob OutcomeBatch PendingJobs QUEUE_OPERATIONS
      QueueCounts QueueOperation Retry`)
  },
  { from: 'svc-stores', to: 'svc-kernel', names: ['AuditEvent'] },
  {
    from: 'svc-stores',
    to: 'svc-audit',
    names: words('AuditFilter AuditMemory AuditPage AuditPageQuery AuditStore')
  },
  {
    from: 'svc-stores',
    to: 'svc-security/stores',
    names: words(`
      IdempotencyOpening IdempotencyRecord IdempotencyStore IdempotentAnswer NewPasskey NewSession NewToken NewUser
      PasskeyFilter PasskeyRecord PasskeySortField PasskeysStore SessionBounds SessionFilter SessionPatch SessionRecord
      SessionSortField SessionStore SocialAccount TokenFilter TokenKind TokenRecord TokenSortField TokensStore TotpRecord
      TotpStore UserFilter UserPatch UserRecord UserSortField UserStore`)
  },
  {
    from: 'svc-stores',
    to: 'svc-security',
    names: words('PasskeySummary SessionSummary TokenSummary UserSummary')
  },
  {
    from: 'svc-stores',
    to: 'svc-webhooks/stores',
    names: words('NewWebhook WebhookFilter WebhookPatch WebhookRecord WebhookSortField WebhookStats WebhooksStore')
  },
  { from: 'svc-stores', to: 'svc-webhooks', names: ['WebhookSummary'] },
  { from: 'svc-stores', to: 'svc-stores/options', names: ['storeOption'] },
  { from: 'svc-stores', to: 'svc-security/conformance', names: ['sortFields'] },
  { from: 'svc-stores/conformance', to: 'svc-audit/conformance', names: ['auditStoreConformance'] },
  {
    from: 'svc-stores/conformance',
    to: 'svc-security/conformance',
    names: words(`
      idempotencyStoreConformance passkeysStoreConformance sessionStoreConformance tokensStoreConformance
      totpStoreConformance userStoreConformance`)
  },
  { from: 'svc-stores/conformance', to: 'svc-webhooks/conformance', names: ['webhooksStoreConformance'] }
]

export const RENAMED: readonly RenamedName[] = [
  { from: 'svc-security', name: 'ApiKeyUnknown', to: 'svc-security/errors', as: 'ApiKeyNotFound' },
  { from: 'svc-security', name: 'FactorUnknown', to: 'svc-security/errors', as: 'FactorNotFound' },
  { from: 'svc-security', name: 'GrantUnknown', to: 'svc-security/errors', as: 'GrantNotFound' },
  { from: 'svc-security', name: 'PasskeyUnknown', to: 'svc-security/errors', as: 'PasskeyNotFound' },
  { from: 'svc-security', name: 'ProviderUnknown', to: 'svc-security/errors', as: 'ProviderNotFound' },
  { from: 'svc-security', name: 'SessionUnknown', to: 'svc-security/errors', as: 'SessionNotFound' },
  { from: 'svc-security', name: 'UserUnknown', to: 'svc-security/errors', as: 'UserNotFound' },
  { from: 'svc-webhooks', name: 'MessageUnknown', to: 'svc-webhooks/errors', as: 'MessageNotFound' },
  { from: 'svc-webhooks', name: 'RecoveryUnknown', to: 'svc-webhooks/errors', as: 'RecoveryNotFound' },
  { from: 'svc-webhooks', name: 'WebhookUnknown', to: 'svc-webhooks/errors', as: 'WebhookNotFound' },
  { from: 'svc-orm', name: 'NoSuchConnector', to: 'svc-orm/errors', as: 'ConnectorNotFound' },
  { from: 'svc-orm', name: 'NoSuchEntity', to: 'svc-orm/errors', as: 'EntityNotFound' },
  { from: 'svc-security', name: 'ApiKeyOrder', to: 'svc-security', as: 'NewApiKey' },
  { from: 'svc-security', name: 'Ballot', to: 'svc-security', as: 'VoteResult' },
  { from: 'svc-security', name: 'GivenUsers', to: 'svc-security', as: 'UserProvider' },
  { from: 'svc-security', name: 'Liveness', to: 'svc-security', as: 'Revalidation' },
  { from: 'svc-stores', name: 'compareValues', to: 'svc-stores/table', as: 'compareHeld' },
  { from: 'svc-webhooks', name: 'AttemptNews', to: 'svc-webhooks', as: 'AttemptEvent' },
  { from: 'svc-webhooks', name: 'DeliveryNews', to: 'svc-webhooks', as: 'DeliveryEvent' }
]

const OWN_STORE = "inMemory(definition, { clock }) of svc-stores, with the feature's definition of the store"
const DRIVER = 'the storage port: implement Database and Table of svc-stores/table'

export const REMOVED: readonly RemovedName[] = [
  ...removed('svc-docdb', 'bareWebhooksStore', "fastify.stores.select with svc-webhooks' definition of the store"),
  ...removed('svc-kernel', 'Internal', 'your own error class'),
  ...removed('svc-kernel', 'KnownPlugin ScopedPlugin', "definePlugin's own parameters"),
  ...removed('svc-kernel', 'codeFrame', 'your own code frame'),
  ...removed('svc-kernel', 'nodeVersionProblem', '"engines" in package.json'),
  ...removed('svc-orm', 'memoryConnector MemoryConnectorParts', 'memoryDatabase of svc-stores/table'),
  ...removed('svc-orm', 'EntityGateway RepositoryHost PortableRepository ParsedChanges', DRIVER),
  ...removed('svc-orm', 'ParsedFindOptions parseFindOptions', DRIVER),
  ...removed('svc-orm', 'Direction', "'ASC' | 'DESC'"),
  ...removed('svc-orm', 'EntitiesOptions', 'Parameters<typeof entities>[1]'),
  ...removed('svc-orm', 'JsonScalar', 'JsonValue of svc-orm'),
  ...removed('svc-orm', 'RelationType', "RelationDefinition['type']"),
  ...removed('svc-stores', 'BRICKS Brick StoreOf missingOperations', "the feature's definition of its store"),
  ...removed('svc-stores', 'MemoryAuditStore MemoryIdempotencyStore MemoryPasskeysStore MemorySessionStore', OWN_STORE),
  ...removed('svc-stores', 'MemoryTokensStore MemoryTotpStore MemoryUserStore MemoryWebhooksStore', OWN_STORE),
  ...removed('svc-stores', 'memoryStores', OWN_STORE),
  ...removed('svc-stores', 'AUDIT_MEMORY auditCutoff', "svc-audit's option memory"),
  ...removed('svc-stores', 'AnyShape RecordShapes recordShapes newRecords filterTypes SortFieldsOf', DRIVER),
  ...removed('svc-stores', 'isSessionExpired', 'fastify.sessions')
]

function removed(from: string, names: string, instead: string): RemovedName[] {
  return words(names).map((name) => ({ from, name, instead }))
}

/** Where an export is now. */
export type Move =
  | { readonly kind: 'moved'; readonly to: string; readonly name: string }
  | { readonly kind: 'removed'; readonly instead: string }

const key = (from: string, name: string): string => `${from} ${name}`

const moves: ReadonlyMap<string, Move> = new Map([
  ...MOVED.flatMap(({ from, to, names }) =>
    names.map((name): [string, Move] => [key(from, name), { kind: 'moved', to, name }])
  ),
  ...RENAMED.map(({ from, name, to, as }): [string, Move] => [key(from, name), { kind: 'moved', to, name: as }]),
  ...REMOVED.map(({ from, name, instead }): [string, Move] => [key(from, name), { kind: 'removed', instead }])
])

/** @returns `null` for a name that has not moved, and for what has no name */
export function moveOf(from: string, name: string | null): Move | null {
  return name === null ? null : (moves.get(key(from, name)) ?? null)
}

/** Such as `svc-host has it now`. */
export function moveText(move: Move): string {
  return move.kind === 'moved' ? `it moved to ${move.to}, as ${move.name}` : `it was removed; use ${move.instead}`
}
