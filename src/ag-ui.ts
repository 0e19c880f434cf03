export { type AgUiTransportOptions, createAgUiTransport } from './backends/ag-ui/create-ag-ui-transport.ts';
