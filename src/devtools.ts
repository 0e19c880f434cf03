'use client';
export { createFaults, type FaultSettings, type Faults } from './devtools/create-faults.ts';
export { createRecorder, type Recorder } from './devtools/create-recorder.ts';
export { type RecordedCall, type Recording, readRecording } from './devtools/recording.ts';
export { HandrailDevtools, type HandrailDevtoolsProps } from './devtools/ui/handrail-devtools.tsx';
