/** svc-openapi */
export {}
