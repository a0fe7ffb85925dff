CREATE TABLE public.article (
    id text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    body text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    reads bigint DEFAULT 0 NOT NULL,
    rating double precision,
    tags jsonb,
    days jsonb,
    settings jsonb DEFAULT '"none"'::jsonb NOT NULL,
    "publishedAt" timestamp(3) with time zone,
    "authorId" text NOT NULL COLLATE pg_catalog."C",
    "formerId" text COLLATE pg_catalog."C",
    "createdAt" timestamp(3) with time zone NOT NULL,
    "updatedAt" timestamp(3) with time zone NOT NULL,
    CONSTRAINT article_rating_check CHECK (((rating >= ('-179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (rating <= ('179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
    CONSTRAINT article_reads_check CHECK (((reads >= '-9007199254740991'::bigint) AND (reads <= '9007199254740991'::bigint)))
);
CREATE TABLE public.author (
    id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    born timestamp(3) with time zone,
    profile jsonb,
    active boolean DEFAULT true NOT NULL
);
CREATE TABLE public.svc_access_token (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    "nameFolded" text COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    "tenantId" text COLLATE pg_catalog."C",
    scopes jsonb NOT NULL,
    "secretHash" text COLLATE pg_catalog."C",
    family text COLLATE pg_catalog."C",
    "replacedBy" text COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "expiresAt" bigint,
    "lastUsedAt" bigint,
    "revokedAt" bigint,
    "revokedReason" text COLLATE pg_catalog."C",
    CONSTRAINT "svc_access_token_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_access_token_expiresAt_check" CHECK ((("expiresAt" >= '-9007199254740991'::bigint) AND ("expiresAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_access_token_lastUsedAt_check" CHECK ((("lastUsedAt" >= '-9007199254740991'::bigint) AND ("lastUsedAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_access_token_revokedAt_check" CHECK ((("revokedAt" >= '-9007199254740991'::bigint) AND ("revokedAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_audit_event (
    id text NOT NULL COLLATE pg_catalog."C",
    ts bigint NOT NULL,
    category text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    actor text COLLATE pg_catalog."C",
    resource text COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    ip text COLLATE pg_catalog."C",
    "userAgent" text COLLATE pg_catalog."C",
    "requestId" text COLLATE pg_catalog."C",
    metadata json NOT NULL,
    CONSTRAINT svc_audit_event_ts_check CHECK (((ts >= '-9007199254740991'::bigint) AND (ts <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_denied_jti (
    id text NOT NULL COLLATE pg_catalog."C",
    "expiresAt" bigint NOT NULL,
    CONSTRAINT "svc_denied_jti_expiresAt_check" CHECK ((("expiresAt" >= '-9007199254740991'::bigint) AND ("expiresAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_idempotency_key (
    id text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    owner text NOT NULL COLLATE pg_catalog."C",
    answer json,
    "createdAt" bigint NOT NULL,
    "expiresAt" bigint NOT NULL,
    CONSTRAINT "svc_idempotency_key_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_idempotency_key_expiresAt_check" CHECK ((("expiresAt" >= '-9007199254740991'::bigint) AND ("expiresAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_session (
    id text NOT NULL COLLATE pg_catalog."C",
    "user" text COLLATE pg_catalog."C",
    content json NOT NULL,
    flash json NOT NULL,
    meta json NOT NULL,
    "createdAt" bigint NOT NULL,
    "updatedAt" bigint NOT NULL,
    CONSTRAINT "svc_session_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_session_updatedAt_check" CHECK ((("updatedAt" >= '-9007199254740991'::bigint) AND ("updatedAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_social_account (
    provider text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    "userId" text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.svc_subject_revocation (
    id text NOT NULL COLLATE pg_catalog."C",
    "invalidBefore" bigint NOT NULL,
    CONSTRAINT "svc_subject_revocation_invalidBefore_check" CHECK ((("invalidBefore" >= '-9007199254740991'::bigint) AND ("invalidBefore" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_totp (
    id text NOT NULL COLLATE pg_catalog."C",
    "secretEnc" text NOT NULL COLLATE pg_catalog."C",
    "lastStep" bigint,
    "recoveryHashes" jsonb NOT NULL,
    "createdAt" bigint NOT NULL,
    "confirmedAt" bigint,
    CONSTRAINT "svc_totp_confirmedAt_check" CHECK ((("confirmedAt" >= '-9007199254740991'::bigint) AND ("confirmedAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_totp_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_totp_lastStep_check" CHECK ((("lastStep" >= '-9007199254740991'::bigint) AND ("lastStep" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_user (
    id text NOT NULL COLLATE pg_catalog."C",
    identifier text NOT NULL COLLATE pg_catalog."C",
    "identifierFolded" text COLLATE pg_catalog."C",
    password text COLLATE pg_catalog."C",
    roles jsonb NOT NULL,
    enabled boolean NOT NULL,
    locked boolean NOT NULL,
    "socialAccounts" jsonb NOT NULL,
    metadata json NOT NULL,
    "createdAt" bigint NOT NULL,
    "updatedAt" bigint NOT NULL,
    CONSTRAINT "svc_user_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_user_updatedAt_check" CHECK ((("updatedAt" >= '-9007199254740991'::bigint) AND ("updatedAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_user_role (
    role text NOT NULL COLLATE pg_catalog."C",
    "userId" text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.svc_webauthn_credential (
    id text NOT NULL COLLATE pg_catalog."C",
    "userId" text NOT NULL COLLATE pg_catalog."C",
    "publicKey" text NOT NULL COLLATE pg_catalog."C",
    counter bigint NOT NULL,
    transports jsonb NOT NULL,
    "backupEligible" boolean NOT NULL,
    "backupState" boolean NOT NULL,
    nickname text COLLATE pg_catalog."C",
    "nicknameFolded" text COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "lastUsedAt" bigint,
    CONSTRAINT svc_webauthn_credential_counter_check CHECK (((counter >= '-9007199254740991'::bigint) AND (counter <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webauthn_credential_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webauthn_credential_lastUsedAt_check" CHECK ((("lastUsedAt" >= '-9007199254740991'::bigint) AND ("lastUsedAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_webhook_endpoint (
    id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    "urlFolded" text COLLATE pg_catalog."C",
    "secretEnc" text NOT NULL COLLATE pg_catalog."C",
    events jsonb NOT NULL,
    enabled boolean NOT NULL,
    description text COLLATE pg_catalog."C",
    "descriptionFolded" text COLLATE pg_catalog."C",
    "tenantId" text COLLATE pg_catalog."C",
    "createdBy" text COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "updatedAt" bigint NOT NULL,
    "lastDeliveryAt" bigint,
    "lastDeliveryStatus" bigint,
    "lastDeliveryError" text COLLATE pg_catalog."C",
    "failureCount" bigint NOT NULL,
    metadata json NOT NULL,
    CONSTRAINT "svc_webhook_endpoint_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_endpoint_failureCount_check" CHECK ((("failureCount" >= '-9007199254740991'::bigint) AND ("failureCount" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_endpoint_lastDeliveryAt_check" CHECK ((("lastDeliveryAt" >= '-9007199254740991'::bigint) AND ("lastDeliveryAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_endpoint_lastDeliveryStatus_check" CHECK ((("lastDeliveryStatus" >= '-9007199254740991'::bigint) AND ("lastDeliveryStatus" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_endpoint_updatedAt_check" CHECK ((("updatedAt" >= '-9007199254740991'::bigint) AND ("updatedAt" <= '9007199254740991'::bigint)))
);
INSERT INTO public.article VALUES ('019bc187-37d8-7000-870d-87a651beb578', 'first', 'long
text with ''quotes'' and "more" \ %_ 😀', 9007199254740991, -0.1, '["news", "ä_%", ""]', '["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]', '{"list": [], "theme": "dark"}', '2026-01-15 12:00:00.001+00', '019bc187-33f0-7000-8dbf-8d5a301626f1', '019bc187-33f0-7001-a583-9832209e3718', '2026-01-15 12:00:23+00', '2026-01-15 12:00:23+00');
INSERT INTO public.article VALUES ('019bc187-3bc0-7001-abe9-df0275427cd5', 'First', '', -5, NULL, NULL, NULL, '[1]', NULL, '019bc187-33f0-7000-8dbf-8d5a301626f1', NULL, '2026-01-15 12:00:24+00', '2026-01-15 12:00:24+00');
INSERT INTO public.article VALUES ('019bc187-3bc0-7002-9da2-bfa706155cf2', 'first', '', 0, NULL, '["news"]', NULL, 'false', NULL, '019bc187-33f0-7001-a583-9832209e3718', NULL, '2026-01-15 12:00:24+00', '2026-01-15 12:00:24+00');
INSERT INTO public.article VALUES ('019bc187-3bc0-7000-944c-f62e08e8cd80', 'second', '', 3, 1e+300, '[]', NULL, '"text"', '1969-07-20 20:17:40+00', '019bc187-33f0-7000-8dbf-8d5a301626f1', NULL, '2026-01-15 12:00:24+00', '2026-01-15 12:00:25+00');
INSERT INTO public.author VALUES ('019bc187-33f0-7000-8dbf-8d5a301626f1', 'ada@shop.example', 'Ada Ünicode', '1815-12-10 00:00:00.123+00', '{"n": 9007199254740991, "langs": ["en", {"$x": 1.5, "a.b": null}]}', true);
INSERT INTO public.author VALUES ('019bc187-33f0-7001-a583-9832209e3718', 'max@shop.example', NULL, NULL, NULL, false);
INSERT INTO public.svc_access_token VALUES ('VwZSv2w4c-zhG4MX0OvsfA', 'apikey', 'gone', 'gone', 'bob', NULL, '[]', 'dcf98e0f661996ddc5db9bf8f50ee059e33eeb0b2c129da723f3a07d1140612a', NULL, NULL, 1768478403000, 1776254403000, NULL, 1768478403000, 'manual');
INSERT INTO public.svc_access_token VALUES ('Yp3DeXXbSJS6bn3o_XQSRA', 'refresh', NULL, NULL, 'bob', NULL, '[]', '2d456f0e93c959a8ea79a1fd81d85ad1039937954dda8b50b41fc66efa381495', '2xIywsAP2QREg3HxB6mDzw', 'hR5Wtb1fylAJyGIzo9YPmg', 1768478403000, 1769083203000, NULL, 1768478403000, 'rotated');
INSERT INTO public.svc_access_token VALUES ('hR5Wtb1fylAJyGIzo9YPmg', 'refresh', NULL, NULL, 'bob', NULL, '[]', '527f07406d6690494cdbdadee7843c6fadeccc31dc821d01c97a026fd0bd6603', '2xIywsAP2QREg3HxB6mDzw', NULL, 1768478403000, 1769083203000, NULL, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('cUcv0x49L0QgrtQGvIjT5Q', 'apikey', 'robot', 'robot', 'bob', NULL, '[]', '31f34866c1eac705d89bd5c613dfe4cc0ac74ae94c83ffec1eace43a7bf1fcb7', NULL, NULL, 1768478403000, 1776254403000, 1768478403000, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('t-key', 'apikey', 'Laptop ÄÖ_%', 'laptop äö_%', 'carol', 'acme', '["orders:read", "orders:write"]', 'yGgDp_7_oJqU5D4Xp6w0sdlAw2jQb9kDivXKY1-IxGg', NULL, NULL, 1768478410000, NULL, NULL, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('t-key-2', 'apikey', 'phone', 'phone', 'carol', NULL, '[]', 'fGMg5fJzMNFmsRJJ6FIQOsH-i8qJJY5ASve9wK21W9c', NULL, NULL, 1768478411000, 1776254400000, 1768478411000, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('t-key-old', 'apikey', 'expired', 'expired', 'carol', NULL, '[]', '_w-HwwjBsnbD9rFAikXZrmbF9TG9qzGR2wIWkBpe1So', NULL, NULL, 1768478412000, 1768478412001, NULL, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('t-refresh-1', 'refresh', NULL, NULL, 'carol', NULL, '[]', 'qI8kw2vfCuIqDn7ffqKTNz543UDWgNBTT4hHjoapFww', 'f-1', 't-refresh-2', 1768478412000, 1769083200000, NULL, 1768478413000, 'rotated');
INSERT INTO public.svc_access_token VALUES ('t-refresh-2', 'refresh', NULL, NULL, 'carol', NULL, '[]', 'DftS1DfJ9syyTDCYdq2rnRe22ehYxbkQ1CIA3kULlb4', 'f-1', NULL, 1768478413000, 1769083200000, NULL, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('t-refresh-3', 'refresh', NULL, NULL, 'dave', NULL, '[]', 'yhCxerxrJebWDfIIeiFVm0J_yK7LWZmiu2N2s0uPero', 'f-2', NULL, 1768478413000, 1769083200000, NULL, 1768478414000, 'logout');
INSERT INTO public.svc_access_token VALUES ('t-access', 'access', NULL, NULL, 'dave', NULL, '["a"]', NULL, 'f-1', NULL, 1768478414000, 1768564800000, NULL, NULL, NULL);
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000001', 1768478403000, 'session', 'session.opened', 'success', 'alice', 'Av27BCCZyO3YtQT_tcbz_mHK4XAq-Ay_wHDn7Z-Wv08', NULL, '127.0.0.1', NULL, 'req-1', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000002', 1768478403000, 'auth', 'login.success', 'success', 'alice', NULL, NULL, '127.0.0.1', NULL, 'req-1', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000003', 1768478403000, 'session', 'session.opened', 'success', 'bob', 'oPipOTwpWxAY5gc47TE2yUFJ9Omr_ialEjkbpL2hP-E', NULL, '127.0.0.1', NULL, 'req-6', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000004', 1768478403000, 'auth', 'login.success', 'success', 'bob', NULL, NULL, '127.0.0.1', NULL, 'req-6', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000005', 1768478403000, 'webauthn', 'passkey.registered', 'success', 'bob', '7DGT6K8Iq-eLymVbg-Pia_wSU4Cyl5yt4fdwLkoq9cw', NULL, '127.0.0.1', NULL, 'req-9', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000006', 1768478403000, 'token', 'apikey.created', 'success', 'bob', 'cUcv0x49L0QgrtQGvIjT5Q', NULL, '127.0.0.1', NULL, 'req-a', '{"name":"robot","scopes":[],"subject":"bob"}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000007', 1768478403000, 'token', 'apikey.created', 'success', 'bob', 'VwZSv2w4c-zhG4MX0OvsfA', NULL, '127.0.0.1', NULL, 'req-b', '{"name":"gone","scopes":[],"subject":"bob"}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000008', 1768478403000, 'token', 'apikey.revoked', 'success', 'bob', 'VwZSv2w4c-zhG4MX0OvsfA', 'manual', '127.0.0.1', NULL, 'req-c', '{"name":"gone","scopes":[],"subject":"bob"}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000009', 1768478403000, 'auth', 'login.success', 'success', 'bob', NULL, 'token', '127.0.0.1', NULL, 'req-d', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000010', 1768478403000, 'token', 'token.issued', 'success', 'bob', 'Yp3DeXXbSJS6bn3o_XQSRA', NULL, '127.0.0.1', NULL, 'req-d', '{"scopes":[]}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000011', 1768478403000, 'token', 'token.refreshed', 'success', 'bob', 'hR5Wtb1fylAJyGIzo9YPmg', NULL, '127.0.0.1', NULL, 'req-e', '{"replaces":"Yp3DeXXbSJS6bn3o_XQSRA"}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000012', 1768478403000, 'session', 'session.opened', 'success', 'root', 'DbfIbq7ECzynRyuriUyopQ3N8vpbtvS8f25ZWBrDLjQ', NULL, '127.0.0.1', NULL, 'req-g', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000013', 1768478403000, 'auth', 'login.success', 'success', 'root', NULL, NULL, '127.0.0.1', NULL, 'req-g', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_8W55rPL4ahwz_1000000014', 1768478403000, 'webhook', 'webhook.created', 'success', 'root', 'wh_pabAKuq4iPzBvD6WQQ8UBw', NULL, '127.0.0.1', NULL, 'req-i', '{"origin":"https://shop.example","events":["order.paid"]}');
INSERT INTO public.svc_audit_event VALUES ('aud_1', 1768392000000, 'auth', 'login.failure', 'failure', 'carol', NULL, 'invalid_credentials', '192.0.2.1', 'test/1.0', 'req-1', '{"attempt":1,"a.b":{"$c":["é"]}}');
INSERT INTO public.svc_audit_event VALUES ('aud_2', 1768305600000, 'auth', 'login.failure', 'failure', NULL, NULL, NULL, NULL, NULL, NULL, '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_3', 1768219200000, 'webhook', 'webhook.created', 'success', 'carol', 'wh_1', 'invalid_credentials', '192.0.2.1', 'test/1.0', 'req-3', '{"attempt":3,"a.b":{"$c":["é"]}}');
INSERT INTO public.svc_audit_event VALUES ('aud_400', 1733918400000, 'auth', 'login.failure', 'failure', 'carol', NULL, 'invalid_credentials', '192.0.2.1', 'test/1.0', 'req-400', '{"attempt":400,"a.b":{"$c":["é"]}}');
INSERT INTO public.svc_denied_jti VALUES ('j-1', 1771070400000);
INSERT INTO public.svc_denied_jti VALUES ('j-2', 1768478414001);
INSERT INTO public.svc_idempotency_key VALUES ('gOzqtyUI7ur7ch96H2N-Pcpw4aoOzAtTjrfWssx2jvU', '-5Yu0hp5UMJuEuxcjXw-7r06RRg6p1VfeZX0T1OmC9g', 'own_cqbCkOpQFhYs3NOz4bbCFw', '{"status":200,"headers":{"content-type":"application/json; charset=utf-8"},"body":"gcm1.SEs5nO-X6UXEIBdhj3GkIJ-GplVmj5_MIsuHXFCIrkf9lExzU-fI"}', 1768478403000, 1769083203000);
INSERT INTO public.svc_idempotency_key VALUES ('8QWxHfQ9XTIfXHc--QSvl5AkiHtNKw-raZOH9Z4v8B4', 'fingerprint-1', 'own_Wqn0O7PFUg7N22YWT0KMLQ', '{"status":201,"headers":{"content-type":"application/json; charset=utf-8","location":"/orders/1"},"body":"{\"order\":\"ü\"}"}', 1768478421000, 1771070421000);
INSERT INTO public.svc_idempotency_key VALUES ('tJpA9H_zi2cqhucBVqeowdI9XHgTXK8U_8hYMsZ0SVU', 'fingerprint-2', 'own_NbT54ye5mjLvXRD7Zz_1YA', NULL, 1768478421000, 1771070421000);
INSERT INTO public.svc_idempotency_key VALUES ('vX--9meIL31w4HF32KKYhKfiEz9us88zmw-acPEEcT4', 'fingerprint-3', 'own_zznEXguGDSL2CAyvQLU2ng', NULL, 1768478421000, 1768478421001);
INSERT INTO public.svc_session VALUES ('Av27BCCZyO3YtQT_tcbz_mHK4XAq-Ay_wHDn7Z-Wv08', 'alice', '{"cart":[1,2]}', '{}', '{"ip":"127.0.0.1","userAgent":null}', 1768478403000, 1768478403000);
INSERT INTO public.svc_session VALUES ('oPipOTwpWxAY5gc47TE2yUFJ9Omr_ialEjkbpL2hP-E', 'bob', '{}', '{}', '{"ip":"127.0.0.1","userAgent":null}', 1768478403000, 1768478403000);
INSERT INTO public.svc_session VALUES ('DbfIbq7ECzynRyuriUyopQ3N8vpbtvS8f25ZWBrDLjQ', 'root', '{}', '{}', '{"ip":"127.0.0.1","userAgent":null}', 1768478403000, 1768478403000);
INSERT INTO public.svc_session VALUES ('RQIivMNHWwGqadWwFQp1oIo7w6h7uHzkKQ6n4NTlGHc', 'carol', '{}', '{}', '{"ip":"192.0.2.1"}', 1768478408000, 1768478408000);
INSERT INTO public.svc_session VALUES ('glKr-lqke3jWuKOoXQ8KASmyqCW4PhXyK-uF3PBavfY', NULL, '{"before":"login"}', '{}', '{}', 1768478409000, 1768478409000);
INSERT INTO public.svc_session VALUES ('aoQLr12MP_JBaIrrFFRuZTd0zVOH-vHLmCsPu_H7uBA', 'carol', '{"cart":[1,2,{"sku":"ä.$1","a.b":null}]}', '{"info":["hi","there"]}', '{"ip":"2001:db8::1","userAgent":"test/1.0"}', 1768478407000, 1768478410000);
INSERT INTO public.svc_session VALUES ('9jRqKu5DqZQopMtoDxOFNz-QA0ZZJoX1eOBRodUDgwI', 'dave', '{"n":1e+21,"m":-0.5,"big":9007199254740991}', '{}', '{}', 1768478410000, 1768478410000);
INSERT INTO public.svc_social_account VALUES ('google', '10769150350006150715113082367', '019bc186-e9b8-7000-80dc-a7509618fd8f');
INSERT INTO public.svc_social_account VALUES ('github', '583231', '019bc186-e9b8-7000-80dc-a7509618fd8f');
INSERT INTO public.svc_social_account VALUES ('github', '583232', '019bc186-eda0-7000-88f0-4e47848d1e62');
INSERT INTO public.svc_subject_revocation VALUES ('dave', 1768478405000);
INSERT INTO public.svc_totp VALUES ('019bc186-de00-7000-8d6d-382fef5922af', 'gcm1.9xylBEIdLS1Fmeq1T5JEsbpJIPbZkYoWHjtKStXCuGnjjCxgvMfui_aXkkBOejnFLgHdgpi2R-o2MJAv', 58949280, '["897uDq8H8v48XIN64CiVopFOkme34DvwKiRXQdZLydA", "YABCX0oefcgXTGIzBsr4xxQwBteqSsK7UZouspY_vd8", "IkZ36OKJbSHZJRsV6-0TR7WVkGPJHj7CYZObDFlqSaw", "DHZv2uVosImZiOw65Yd3Hu06WKVu0hNG0tcX00CICt4", "CDWaRxPV6myycQTS7Lp-OBB3GqC1W1QJju0i10rJAEQ", "Gbrhi76VmjLKaUN3y2-lVotdqBjZFMTKlRfE7U0Qp6Y", "2tQcpMBmP5qxBfjA9RyZQ2N6ygKQmQR_KjxF2xDJCf8", "8hbMprFUraFzULLSPNaHwdncGcQAm8XYXdFwgQtKdF0", "5NZHrn1iTtCq7Dq8pt5VzmToz2QFgpM4PLm-8aU1Pnc", "fNZ-84_QPVkPUvMI5u87enEck8XsBDEHIJFqlW30G8I"]', 1768478403000, 1768478403000);
INSERT INTO public.svc_totp VALUES ('u-1', 'gcm1.c2VjcmV0', 1002, '["VPUK_wwF9QmoBGBLd2yFojlpJyxXsvMFS24Fx_xuVD8", "LtzonvGC9Jnto6wQn1HXwBlUtOXwe3ims1abXqBHzgw"]', 1768478417000, 1768478417000);
INSERT INTO public.svc_totp VALUES ('u-2', 'gcm1.d2FpdGluZw', NULL, '[]', 1768478418000, NULL);
INSERT INTO public.svc_user VALUES ('019bc186-de00-7000-8d6d-382fef5922af', 'alice', 'alice', '$argon2id$v=19$m=7168,t=1,p=1$HKDrWAin9kMkevm/DJ9fyg$ICb5OJA3gVCkLLT/vUM3jp98SW6R53YSxojggush3tY', '["ROLE_USER"]', true, false, '[]', '{}', 1768478400000, 1768478400000);
INSERT INTO public.svc_user VALUES ('019bc186-e1e8-7000-9ac7-89584f4ce373', 'bob', 'bob', '$argon2id$v=19$m=7168,t=1,p=1$HKDrWAin9kMkevm/DJ9fyg$ICb5OJA3gVCkLLT/vUM3jp98SW6R53YSxojggush3tY', '["ROLE_USER"]', true, false, '[]', '{}', 1768478401000, 1768478401000);
INSERT INTO public.svc_user VALUES ('019bc186-e5d0-7000-847d-f97be8e134b2', 'root', 'root', '$argon2id$v=19$m=7168,t=1,p=1$HKDrWAin9kMkevm/DJ9fyg$ICb5OJA3gVCkLLT/vUM3jp98SW6R53YSxojggush3tY', '["ROLE_SVC_ADMIN"]', true, false, '[]', '{}', 1768478402000, 1768478402000);
INSERT INTO public.svc_user VALUES ('019bc186-e9b8-7000-80dc-a7509618fd8f', 'Carol.Ünicode@shop.example', 'carol.ünicode@shop.example', '$argon2id$v=19$m=7168,t=1,p=1$/rdRRu+R69+ke+tLMMXRmA$6p8P7CUEo60coxoimb6n4YpgZcEQI/u0J53oeYv3lMg', '["ROLE_USER", "ROLE_EDITOR"]', true, false, '[{"subject": "10769150350006150715113082367", "linkedAt": 1768478405000, "provider": "google"}, {"subject": "583231", "linkedAt": 1768478406000, "provider": "github"}]', '{"locale":"de","a.b":{"$x":[1,2.5,null,true,"ß"]},"__proto":1,"nested":{"deep":[{"a":[]},{}]}}', 1768478403000, 1768478406000);
INSERT INTO public.svc_user VALUES ('019bc186-eda0-7000-88f0-4e47848d1e62', 'dave', 'dave', NULL, '[]', false, false, '[{"subject": "583232", "linkedAt": 1768478406000, "provider": "github"}]', '{}', 1768478404000, 1768478406000);
INSERT INTO public.svc_user VALUES ('019bc186-f188-7000-910a-aaf87b21839a', 'erin', 'erin', NULL, '["ROLE_SVC_ADMIN", "ROLE_USER"]', true, true, '[]', '{"note":"changed"}', 1768478405000, 1768478407000);
INSERT INTO public.svc_user_role VALUES ('ROLE_USER', '019bc186-de00-7000-8d6d-382fef5922af');
INSERT INTO public.svc_user_role VALUES ('ROLE_USER', '019bc186-e1e8-7000-9ac7-89584f4ce373');
INSERT INTO public.svc_user_role VALUES ('ROLE_SVC_ADMIN', '019bc186-e5d0-7000-847d-f97be8e134b2');
INSERT INTO public.svc_user_role VALUES ('ROLE_USER', '019bc186-e9b8-7000-80dc-a7509618fd8f');
INSERT INTO public.svc_user_role VALUES ('ROLE_EDITOR', '019bc186-e9b8-7000-80dc-a7509618fd8f');
INSERT INTO public.svc_user_role VALUES ('ROLE_SVC_ADMIN', '019bc186-f188-7000-910a-aaf87b21839a');
INSERT INTO public.svc_user_role VALUES ('ROLE_USER', '019bc186-f188-7000-910a-aaf87b21839a');
INSERT INTO public.svc_webauthn_credential VALUES ('7DGT6K8Iq-eLymVbg-Pia_wSU4Cyl5yt4fdwLkoq9cw', '019bc186-e1e8-7000-9ac7-89584f4ce373', 'pQECAyYgASFYIHDsWvPMIlwlgtHwdBJ6pa9LMyuzsE4wUaH87eIypleqIlgg4iUs_JMl7FSiBKe7NipemRntxSbjNJoBgPhu0QRUWGY', 0, '[]', false, false, NULL, NULL, 1768478403000, NULL);
INSERT INTO public.svc_webauthn_credential VALUES ('cred-2', 'u-1', 'pQECAyYgASFYIA', 0, '[]', false, false, 'Key_ä', 'key_ä', 1768478416000, NULL);
INSERT INTO public.svc_webauthn_credential VALUES ('cred-3', 'u-2', 'pQECAyYgASFYIA', 0, '[]', false, false, 'other', 'other', 1768478416000, NULL);
INSERT INTO public.svc_webauthn_credential VALUES ('cred-1', 'u-1', 'pQECAyYgASFYIA', 9, '["internal", "hybrid"]', true, true, 'Phone 100%', 'phone 100%', 1768478415000, 1768478417000);
INSERT INTO public.svc_webhook_endpoint VALUES ('wh_pabAKuq4iPzBvD6WQQ8UBw', 'https://shop.example/hook', 'https://shop.example/hook', 'gcm1.tlxqSbDkbkj-ZgHTzOv8aAUZkTXo1ybyNPBos1zW8IREABsq3kdkx5ANL9RlpZ2T4gpRkt_jbUxyLrIYPcwKO1lVxHbavWpFbeUgiyN2', '["order.paid"]', true, 'of the shop', 'of the shop', NULL, 'root', 1768478403000, 1768478403000, NULL, NULL, NULL, 0, '{"team":"a"}');
INSERT INTO public.svc_webhook_endpoint VALUES ('wh_2', 'https://receiver.example/wh_2', 'https://receiver.example/wh_2', 'gcm1.4aBIg2JbKlCrE6MGWKfHoKvtrZs58jT6RZ1s1naI4mGkYgaDCYSejFDPTVBgc3HoOLjEgo3sQ0PwFod6CXlDILKoV203jDAwhQAZ6DBy', '["*"]', false, NULL, NULL, NULL, NULL, 1768478419000, 1768478419000, NULL, NULL, NULL, 0, '{}');
INSERT INTO public.svc_webhook_endpoint VALUES ('wh_1', 'https://receiver.example/wh_1', 'https://receiver.example/wh_1', 'gcm1.EV5J8cWQIkmfefE0YGzdZf_Omd5U2mxlUF4aCR9i_7NH55S2bZxUJ7lQxZvxxlc-rB0HOLF5seRGNAlhHUZy6avm8KkBhhSpmHwJdlbQ', '["cart.changed", "order.*"]', true, 'Straße 100%_', 'straße 100%_', 'acme', 'root', 1768478418000, 1768478418000, 1768478420000, 204, NULL, 0, '{"team":"a","x.y":[1,{"$z":2}]}');
INSERT INTO public.svc_webhook_endpoint VALUES ('wh_3', 'https://OTHER.example/hook', 'https://other.example/hook', 'gcm1.-CRDuJsc_MoMYlHmOwpBygf7cStWRG1XUZWPi3W3ZejEwK9rpw36FqLLRg0L6pp32wHUuN-cxBabjwFKIt2C9xM_CqIMFtAwg0FBJpZZ', '["order.*"]', true, NULL, NULL, NULL, NULL, 1768478419000, 1768478419000, 1768478420000, NULL, 'timeout', 2, '{}');
ALTER TABLE ONLY public.article
    ADD CONSTRAINT article_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.author
    ADD CONSTRAINT author_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_access_token
    ADD CONSTRAINT svc_access_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_audit_event
    ADD CONSTRAINT svc_audit_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_denied_jti
    ADD CONSTRAINT svc_denied_jti_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_idempotency_key
    ADD CONSTRAINT svc_idempotency_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_session
    ADD CONSTRAINT svc_session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_social_account
    ADD CONSTRAINT svc_social_account_pkey PRIMARY KEY (subject, provider);
ALTER TABLE ONLY public.svc_subject_revocation
    ADD CONSTRAINT svc_subject_revocation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_totp
    ADD CONSTRAINT svc_totp_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_user
    ADD CONSTRAINT svc_user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_user_role
    ADD CONSTRAINT svc_user_role_pkey PRIMARY KEY (role, "userId");
ALTER TABLE ONLY public.svc_webauthn_credential
    ADD CONSTRAINT svc_webauthn_credential_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_webhook_endpoint
    ADD CONSTRAINT svc_webhook_endpoint_pkey PRIMARY KEY (id);
CREATE INDEX "article_authorId_id_06e56820_idx" ON public.article USING btree ("authorId", id);
CREATE UNIQUE INDEX "article_authorId_slug_38a4d3a0_key" ON public.article USING btree ("authorId", slug);
CREATE INDEX "article_formerId_id_9bb38d2f_idx" ON public.article USING btree ("formerId" NULLS FIRST, id);
CREATE INDEX "article_publishedAt_slug_id_211cf839_idx" ON public.article USING btree ("publishedAt" NULLS FIRST, slug, id);
CREATE UNIQUE INDEX author_email_84436a5e_key ON public.author USING btree (email);
CREATE INDEX "svc_access_token_createdAt_desc_id_402bbf69_idx" ON public.svc_access_token USING btree ("createdAt" DESC, id);
CREATE INDEX "svc_access_token_expiresAt_cd8cc6d5_idx" ON public.svc_access_token USING btree ("expiresAt" NULLS FIRST) WHERE ("expiresAt" IS NOT NULL);
CREATE INDEX svc_access_token_family_3042e3ed_idx ON public.svc_access_token USING btree (family NULLS FIRST) WHERE (family IS NOT NULL);
CREATE INDEX "svc_access_token_kind_createdAt_desc_id_54587b9b_idx" ON public.svc_access_token USING btree (kind, "createdAt" DESC, id);
CREATE INDEX "svc_access_token_revokedAt_32854152_idx" ON public.svc_access_token USING btree ("revokedAt" NULLS FIRST) WHERE ("revokedAt" IS NOT NULL);
CREATE UNIQUE INDEX "svc_access_token_secretHash_14c952f9_key" ON public.svc_access_token USING btree ("secretHash" NULLS FIRST);
CREATE INDEX "svc_access_token_subject_createdAt_desc_1dc01a2a_idx" ON public.svc_access_token USING btree (subject, "createdAt" DESC);
CREATE INDEX "svc_access_token_tenantId_createdAt_desc_95c6c23e_idx" ON public.svc_access_token USING btree ("tenantId" NULLS FIRST, "createdAt" DESC) WHERE ("tenantId" IS NOT NULL);
CREATE INDEX svc_audit_event_action_ts_desc_id_desc_6f14d16a_idx ON public.svc_audit_event USING btree (action, ts DESC, id DESC);
CREATE INDEX svc_audit_event_actor_ts_desc_id_desc_53e01ec9_idx ON public.svc_audit_event USING btree (actor NULLS FIRST, ts DESC, id DESC) WHERE (actor IS NOT NULL);
CREATE INDEX svc_audit_event_category_ts_desc_id_desc_3460a86c_idx ON public.svc_audit_event USING btree (category, ts DESC, id DESC);
CREATE INDEX svc_audit_event_outcome_ts_desc_id_desc_b96ce48f_idx ON public.svc_audit_event USING btree (outcome, ts DESC, id DESC);
CREATE INDEX svc_audit_event_ts_desc_id_desc_09fd1453_idx ON public.svc_audit_event USING btree (ts DESC, id DESC);
CREATE INDEX "svc_denied_jti_expiresAt_f987d172_idx" ON public.svc_denied_jti USING btree ("expiresAt");
CREATE INDEX "svc_idempotency_key_expiresAt_af99b457_idx" ON public.svc_idempotency_key USING btree ("expiresAt");
CREATE INDEX "svc_session_createdAt_desc_id_8135f014_idx" ON public.svc_session USING btree ("createdAt" DESC, id);
CREATE INDEX "svc_session_updatedAt_desc_id_99718c5d_idx" ON public.svc_session USING btree ("updatedAt" DESC, id);
CREATE INDEX "svc_session_user_createdAt_desc_26b95d0c_idx" ON public.svc_session USING btree ("user" NULLS FIRST, "createdAt" DESC) WHERE ("user" IS NOT NULL);
CREATE INDEX "svc_social_account_userId_63721f21_idx" ON public.svc_social_account USING btree ("userId");
CREATE INDEX "svc_user_createdAt_desc_id_e2b9986c_idx" ON public.svc_user USING btree ("createdAt" DESC, id);
CREATE INDEX svc_user_enabled_identifier_3369f2b0_idx ON public.svc_user USING btree (enabled, identifier);
CREATE UNIQUE INDEX svc_user_identifier_8c600d06_key ON public.svc_user USING btree (identifier);
CREATE INDEX svc_user_locked_identifier_10e5dc65_idx ON public.svc_user USING btree (locked, identifier);
CREATE INDEX "svc_user_role_userId_574ca950_idx" ON public.svc_user_role USING btree ("userId");
CREATE INDEX "svc_user_updatedAt_desc_id_27a1dbc2_idx" ON public.svc_user USING btree ("updatedAt" DESC, id);
CREATE INDEX "svc_webauthn_credential_createdAt_desc_id_ad96b585_idx" ON public.svc_webauthn_credential USING btree ("createdAt" DESC, id);
CREATE INDEX "svc_webauthn_credential_userId_createdAt_desc_3702a81e_idx" ON public.svc_webauthn_credential USING btree ("userId", "createdAt" DESC);
CREATE INDEX "svc_webhook_endpoint_createdAt_desc_id_f2aab917_idx" ON public.svc_webhook_endpoint USING btree ("createdAt" DESC, id);
CREATE INDEX "svc_webhook_endpoint_enabled_createdAt_desc_id_af4a0874_idx" ON public.svc_webhook_endpoint USING btree (enabled, "createdAt" DESC, id);
CREATE INDEX "svc_webhook_endpoint_failureCount_desc_id_88d0b8c9_idx" ON public.svc_webhook_endpoint USING btree ("failureCount" DESC, id);
CREATE INDEX "svc_webhook_endpoint_updatedAt_desc_id_14503a8c_idx" ON public.svc_webhook_endpoint USING btree ("updatedAt" DESC, id);
CREATE INDEX svc_webhook_endpoint_url_4d4892d5_idx ON public.svc_webhook_endpoint USING btree (url);
