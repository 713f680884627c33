"""The vocabulary; generated from ontology/ by aitia.vocabgen. Do not edit."""

from typing import Final, final

from pyoxigraph import NamedNode


@final
class AITIA:
    """Terms of https://w3id.org/aitia/ns#."""

    NS: Final = "https://w3id.org/aitia/ns#"

    Abort: Final = NamedNode("https://w3id.org/aitia/ns#Abort")
    """The conclusion of a run that could not go on, with the reason."""

    Abstention: Final = NamedNode("https://w3id.org/aitia/ns#Abstention")
    """The conclusion of a run that found too little to answer, with what was tried."""

    Agent: Final = NamedNode("https://w3id.org/aitia/ns#Agent")
    """Whoever acts: a person, a program, a model."""

    Alert: Final = NamedNode("https://w3id.org/aitia/ns#Alert")
    """A threshold that was passed, with the figure."""

    Annotation: Final = NamedNode("https://w3id.org/aitia/ns#Annotation")
    """A remark that somebody attached to a node."""

    Answer: Final = NamedNode("https://w3id.org/aitia/ns#Answer")
    """What was told to the asker."""

    AnswerMode: Final = NamedNode("https://w3id.org/aitia/ns#AnswerMode")
    """How an answer was worded."""

    Authentication: Final = NamedNode("https://w3id.org/aitia/ns#Authentication")
    """How it is known who a reviewer is."""

    Basis: Final = NamedNode("https://w3id.org/aitia/ns#Basis")
    """On what ground a link stands."""

    Batch: Final = NamedNode("https://w3id.org/aitia/ns#Batch")
    """Operations that were proposed together, with the node they address and the reasons given: reasoning of a model, never evidence."""

    Check: Final = NamedNode("https://w3id.org/aitia/ns#Check")
    """One automatic check of a proposal, with its outcome and the reason."""

    CheckKind: Final = NamedNode("https://w3id.org/aitia/ns#CheckKind")
    """What a check looks at."""

    Checkable: Final = NamedNode("https://w3id.org/aitia/ns#Checkable")
    """What evidence may support or contradict: a hypothesis or a claim."""

    Claim: Final = NamedNode("https://w3id.org/aitia/ns#Claim")
    """One sentence of an answer, with what it rests on."""

    Commit: Final = NamedNode("https://w3id.org/aitia/ns#Commit")
    """One entry of the ledger: a change of the store, chained to the one before."""

    Conclusion: Final = NamedNode("https://w3id.org/aitia/ns#Conclusion")
    """What a run ends in: a decision, an abstention or an abort."""

    Conflict: Final = NamedNode("https://w3id.org/aitia/ns#Conflict")
    """Two or more things on record that cannot both hold, or that disagree."""

    Consent: Final = NamedNode("https://w3id.org/aitia/ns#Consent")
    """Permission that somebody gave for a tool to change something outside."""

    Decision: Final = NamedNode("https://w3id.org/aitia/ns#Decision")
    """The conclusion of a run that found an answer."""

    Dismissal: Final = NamedNode("https://w3id.org/aitia/ns#Dismissal")
    """Somebody's finding that a conflict is none, with the reason."""

    Document: Final = NamedNode("https://w3id.org/aitia/ns#Document")
    """One version of a file or text that was taken in, with the hash of its bytes."""

    DocumentState: Final = NamedNode("https://w3id.org/aitia/ns#DocumentState")
    """Whether a version of a document is in use."""

    Entity: Final = NamedNode("https://w3id.org/aitia/ns#Entity")
    """A mention in the input and the resource it was linked to."""

    Evidence: Final = NamedNode("https://w3id.org/aitia/ns#Evidence")
    """What speaks for or against a proposal."""

    Gap: Final = NamedNode("https://w3id.org/aitia/ns#Gap")
    """Something a run needed and the knowledge lacks."""

    Goal: Final = NamedNode("https://w3id.org/aitia/ns#Goal")
    """Something to be found out or brought about, and why: a node of the planning tree."""

    Ground: Final = NamedNode("https://w3id.org/aitia/ns#Ground")
    """What a result may rest on."""

    Hypothesis: Final = NamedNode("https://w3id.org/aitia/ns#Hypothesis")
    """A candidate answer that checks can support or contradict."""

    HypothesisState: Final = NamedNode("https://w3id.org/aitia/ns#HypothesisState")
    """Whether a hypothesis is open, verified or refuted."""

    ImpactAnalysis: Final = NamedNode("https://w3id.org/aitia/ns#ImpactAnalysis")
    """What a proposal would change, count by count."""

    Import: Final = NamedNode("https://w3id.org/aitia/ns#Import")
    """The taking in of RDF that another workspace or tool exported."""

    Intent: Final = NamedNode("https://w3id.org/aitia/ns#Intent")
    """What kind of answer the input asks for, as perceived."""

    IntentKind: Final = NamedNode("https://w3id.org/aitia/ns#IntentKind")
    """What kind of answer an input asks for."""

    Link: Final = NamedNode("https://w3id.org/aitia/ns#Link")
    """A causal link with its basis, confidence, author or reason."""

    LinkEnd: Final = NamedNode("https://w3id.org/aitia/ns#LinkEnd")
    """One of the two ends of a link."""

    Method: Final = NamedNode("https://w3id.org/aitia/ns#Method")
    """A way of doing something that executions follow."""

    MethodExecution: Final = NamedNode("https://w3id.org/aitia/ns#MethodExecution")
    """One execution of a method: a node of the execution tree."""

    Model: Final = NamedNode("https://w3id.org/aitia/ns#Model")
    """A language or embedding model that acts."""

    Motivated: Final = NamedNode("https://w3id.org/aitia/ns#Motivated")
    """What is there because of a motive: a perception, an undertaking, or something put up to be checked."""

    Motive: Final = NamedNode("https://w3id.org/aitia/ns#Motive")
    """What may be the reason for undertaking something: an input, an intent, a goal or an operation."""

    Observation: Final = NamedNode("https://w3id.org/aitia/ns#Observation")
    """Something a method or tool returned."""

    Occurrence: Final = NamedNode("https://w3id.org/aitia/ns#Occurrence")
    """What may set something off: an execution or a result."""

    Operation: Final = NamedNode("https://w3id.org/aitia/ns#Operation")
    """One thing that a model proposed to do, as the gate admitted it."""

    OperationKind: Final = NamedNode("https://w3id.org/aitia/ns#OperationKind")
    """What an operation does."""

    Passage: Final = NamedNode("https://w3id.org/aitia/ns#Passage")
    """A stretch of a document's stored text, found by its character offsets."""

    Person: Final = NamedNode("https://w3id.org/aitia/ns#Person")
    """A human being who acts."""

    Product: Final = NamedNode("https://w3id.org/aitia/ns#Product")
    """What an execution may bring forth: a result or a goal."""

    Proposal: Final = NamedNode("https://w3id.org/aitia/ns#Proposal")
    """A change to the knowledge that is suggested and not yet made."""

    ProposalKind: Final = NamedNode("https://w3id.org/aitia/ns#ProposalKind")
    """What kind of change a proposal suggests."""

    ProposalState: Final = NamedNode("https://w3id.org/aitia/ns#ProposalState")
    """How far a proposal has come."""

    ProposedStatement: Final = NamedNode("https://w3id.org/aitia/ns#ProposedStatement")
    """A triple that a proposal would state or take back; reified, never asserted."""

    Quote: Final = NamedNode("https://w3id.org/aitia/ns#Quote")
    """Exact words of a document's stored text that something rests on."""

    Rank: Final = NamedNode("https://w3id.org/aitia/ns#Rank")
    """How a statement stands among others about the same thing."""

    Reading: Final = NamedNode("https://w3id.org/aitia/ns#Reading")
    """The reading of one file or text: which reader, which version, how it went."""

    RecordingLevel: Final = NamedNode("https://w3id.org/aitia/ns#RecordingLevel")
    """How much of a run is recorded."""

    RefusedOperation: Final = NamedNode("https://w3id.org/aitia/ns#RefusedOperation")
    """A change that was proposed and that the gate refused, with the report."""

    Reservation: Final = NamedNode("https://w3id.org/aitia/ns#Reservation")
    """That one reviewer has a proposal to himself until some time."""

    Result: Final = NamedNode("https://w3id.org/aitia/ns#Result")
    """What thinking brings forth and what must therefore rest on something."""

    Retirement: Final = NamedNode("https://w3id.org/aitia/ns#Retirement")
    """The taking of a document out of use, by whom and when."""

    Review: Final = NamedNode("https://w3id.org/aitia/ns#Review")
    """The judging of a proposal by somebody."""

    Revision: Final = NamedNode("https://w3id.org/aitia/ns#Revision")
    """The making of a new version of something on record."""

    Run: Final = NamedNode("https://w3id.org/aitia/ns#Run")
    """One undertaking from an input to its conclusion."""

    Sentiment: Final = NamedNode("https://w3id.org/aitia/ns#Sentiment")
    """How the asker feels, where the words show it."""

    Session: Final = NamedNode("https://w3id.org/aitia/ns#Session")
    """Runs that belong together."""

    ShapeFile: Final = NamedNode("https://w3id.org/aitia/ns#ShapeFile")
    """One version of a file of SHACL shapes that somebody made part of the gate."""

    Snapshot: Final = NamedNode("https://w3id.org/aitia/ns#Snapshot")
    """A name for a commit."""

    Software: Final = NamedNode("https://w3id.org/aitia/ns#Software")
    """A program that acts."""

    Source: Final = NamedNode("https://w3id.org/aitia/ns#Source")
    """Where documents or statements come from, with a weight."""

    Span: Final = NamedNode("https://w3id.org/aitia/ns#Span")
    """Words at a place of a document's stored text that a proposal speaks of; once it was accepted they are out of use."""

    Statement: Final = NamedNode("https://w3id.org/aitia/ns#Statement")
    """One reified triple with what is known about it: source, rank, confidence, times."""

    Status: Final = NamedNode("https://w3id.org/aitia/ns#Status")
    """How far a goal, an execution or a run has come."""

    Strategy: Final = NamedNode("https://w3id.org/aitia/ns#Strategy")
    """A way of reasoning: deduction, induction, analogy or abduction."""

    SupportState: Final = NamedNode("https://w3id.org/aitia/ns#SupportState")
    """Whether a claim is supported by what it rests on."""

    Tool: Final = NamedNode("https://w3id.org/aitia/ns#Tool")
    """A function or a service that an execution can call."""

    ToolCall: Final = NamedNode("https://w3id.org/aitia/ns#ToolCall")
    """A method execution that called a tool."""

    Trace: Final = NamedNode("https://w3id.org/aitia/ns#Trace")
    """The named graph that holds the record of one run."""

    Traceable: Final = NamedNode("https://w3id.org/aitia/ns#Traceable")
    """Anything that a causal link may start or end at."""

    Transition: Final = NamedNode("https://w3id.org/aitia/ns#Transition")
    """One step of a proposal from one state to the next."""

    Trigger: Final = NamedNode("https://w3id.org/aitia/ns#Trigger")
    """What made somebody or something propose a change."""

    Undertaking: Final = NamedNode("https://w3id.org/aitia/ns#Undertaking")
    """Something that is undertaken: a goal, an execution, or the conclusion that a run is brought to."""

    Urgency: Final = NamedNode("https://w3id.org/aitia/ns#Urgency")
    """How much the asker is pressed, where the words show it."""

    Usable: Final = NamedNode("https://w3id.org/aitia/ns#Usable")
    """What an execution may use: a ground or a method."""

    UserInput: Final = NamedNode("https://w3id.org/aitia/ns#UserInput")
    """What a person or program asked, word for word."""

    Verdict: Final = NamedNode("https://w3id.org/aitia/ns#Verdict")
    """The outcome of a review."""

    abandoned: Final = NamedNode("https://w3id.org/aitia/ns#abandoned")
    """It was given up before it ended."""

    abduction: Final = NamedNode("https://w3id.org/aitia/ns#abduction")
    """The explanation that would best account for what was observed."""

    abortRun: Final = NamedNode("https://w3id.org/aitia/ns#abortRun")
    """The run is broken off with a reason."""

    about: Final = NamedNode("https://w3id.org/aitia/ns#about")
    """What the subject is about."""

    accepts: Final = NamedNode("https://w3id.org/aitia/ns#accepts")
    """The decision accepts the hypothesis."""

    add: Final = NamedNode("https://w3id.org/aitia/ns#add")
    """State something new."""

    addLink: Final = NamedNode("https://w3id.org/aitia/ns#addLink")
    """A claimed link between two nodes is added."""

    addNode: Final = NamedNode("https://w3id.org/aitia/ns#addNode")
    """A node is added: a goal, a hypothesis, a claim."""

    addresses: Final = NamedNode("https://w3id.org/aitia/ns#addresses")
    """The goal, hypothesis or other node that the operations of a batch are about."""

    affectedAnswers: Final = NamedNode("https://w3id.org/aitia/ns#affectedAnswers")
    """How many answers the change would touch."""

    affectedInferred: Final = NamedNode("https://w3id.org/aitia/ns#affectedInferred")
    """How many inferred triples the change would touch."""

    affectedProposals: Final = NamedNode("https://w3id.org/aitia/ns#affectedProposals")
    """How many other proposals the change would touch."""

    affectedStatements: Final = NamedNode(
        "https://w3id.org/aitia/ns#affectedStatements"
    )
    """How many statements the change would touch."""

    affects: Final = NamedNode("https://w3id.org/aitia/ns#affects")
    """Something that the change would alter, make stale or conflict with."""

    agedFacts: Final = NamedNode("https://w3id.org/aitia/ns#agedFacts")
    """How many facts in force were stated longer ago than a limit, and not since."""

    analogy: Final = NamedNode("https://w3id.org/aitia/ns#analogy")
    """A conclusion about one thing from another that is like it."""

    answerMode: Final = NamedNode("https://w3id.org/aitia/ns#answerMode")
    """How the answer was worded."""

    appliesWhen: Final = NamedNode("https://w3id.org/aitia/ns#appliesWhen")
    """When a strategy of reasoning can be used."""

    approvalsNeeded: Final = NamedNode("https://w3id.org/aitia/ns#approvalsNeeded")
    """How many approvals the proposal needs."""

    approved: Final = NamedNode("https://w3id.org/aitia/ns#approved")
    """It was accepted and the change was made."""

    arguments: Final = NamedNode("https://w3id.org/aitia/ns#arguments")
    """What a method or tool is called with, as JSON."""

    asksAgain: Final = NamedNode("https://w3id.org/aitia/ns#asksAgain")
    """The earlier run whose question this one asks again."""

    assertedOnly: Final = NamedNode("https://w3id.org/aitia/ns#assertedOnly")
    """Nothing proves who the reviewer is."""

    atCommit: Final = NamedNode("https://w3id.org/aitia/ns#atCommit")
    """The commit that the snapshot names."""

    attempt: Final = NamedNode("https://w3id.org/aitia/ns#attempt")
    """Which try this was, counted from 1."""

    authentication: Final = NamedNode("https://w3id.org/aitia/ns#authentication")
    """How it is known who acted."""

    baseCheck: Final = NamedNode("https://w3id.org/aitia/ns#baseCheck")
    """Has what it was made against changed?"""

    baseCommit: Final = NamedNode("https://w3id.org/aitia/ns#baseCommit")
    """Number of the newest commit when the proposal was made."""

    baseDigest: Final = NamedNode("https://w3id.org/aitia/ns#baseDigest")
    """SHA-256 over the facts that the proposal was made against."""

    basis: Final = NamedNode("https://w3id.org/aitia/ns#basis")
    """On what ground the link stands."""

    between: Final = NamedNode("https://w3id.org/aitia/ns#between")
    """One side of the conflict."""

    bySignature: Final = NamedNode("https://w3id.org/aitia/ns#bySignature")
    """The reviewer signed with a key that is listed for him."""

    byToken: Final = NamedNode("https://w3id.org/aitia/ns#byToken")
    """The reviewer showed a token that was given to him."""

    byteLength: Final = NamedNode("https://w3id.org/aitia/ns#byteLength")
    """How many bytes the original has."""

    cachedFrom: Final = NamedNode("https://w3id.org/aitia/ns#cachedFrom")
    """The earlier execution whose kept result this one used."""

    callTool: Final = NamedNode("https://w3id.org/aitia/ns#callTool")
    """A tool is called for a goal."""

    calls: Final = NamedNode("https://w3id.org/aitia/ns#calls")
    """The method or tool that the operation asks to run."""

    carriesOut: Final = NamedNode("https://w3id.org/aitia/ns#carriesOut")
    """The proposal whose change the revision made or took back."""

    causes: Final = NamedNode("https://w3id.org/aitia/ns#causes")
    """The inverse of hasCause; never stated, it says which way each kind of link points."""

    charLength: Final = NamedNode("https://w3id.org/aitia/ns#charLength")
    """How many characters the stored text has."""

    charactersCheck: Final = NamedNode("https://w3id.org/aitia/ns#charactersCheck")
    """Are there hidden or look-alike characters?"""

    checking: Final = NamedNode("https://w3id.org/aitia/ns#checking")
    """Under checks."""

    circularityCheck: Final = NamedNode("https://w3id.org/aitia/ns#circularityCheck")
    """Does the evidence rest on the proposal itself?"""

    claimed: Final = NamedNode("https://w3id.org/aitia/ns#claimed")
    """A model or a person says so; it was not checked."""

    committedAt: Final = NamedNode("https://w3id.org/aitia/ns#committedAt")
    """When the commit was made."""

    committedBy: Final = NamedNode("https://w3id.org/aitia/ns#committedBy")
    """Who made the commit."""

    committedFor: Final = NamedNode("https://w3id.org/aitia/ns#committedFor")
    """The run, reading or import that the commit belongs to."""

    comparison: Final = NamedNode("https://w3id.org/aitia/ns#comparison")
    """How two or more things stand to each other is asked for."""

    competence: Final = NamedNode("https://w3id.org/aitia/ns#competence")
    """What the method is good for, in words."""

    computed: Final = NamedNode("https://w3id.org/aitia/ns#computed")
    """A rule computed it from what is on record."""

    conclude: Final = NamedNode("https://w3id.org/aitia/ns#conclude")
    """The run is concluded with a decision."""

    concludes: Final = NamedNode("https://w3id.org/aitia/ns#concludes")
    """The goal was ended by the conclusion."""

    conclusion: Final = NamedNode("https://w3id.org/aitia/ns#conclusion")
    """The one decision, abstention or abort that the run ended in."""

    confidence: Final = NamedNode("https://w3id.org/aitia/ns#confidence")
    """How sure, from 0 to 1, by the rule that confidenceRule names."""

    confidenceRule: Final = NamedNode("https://w3id.org/aitia/ns#confidenceRule")
    """How the confidence was measured or computed."""

    conflictTrigger: Final = NamedNode("https://w3id.org/aitia/ns#conflictTrigger")
    """Sources disagree."""

    conflictsCheck: Final = NamedNode("https://w3id.org/aitia/ns#conflictsCheck")
    """Does it contradict what is on record?"""

    consentTo: Final = NamedNode("https://w3id.org/aitia/ns#consentTo")
    """The tool that somebody consented to."""

    containsGraph: Final = NamedNode("https://w3id.org/aitia/ns#containsGraph")
    """A named graph that the document's RDF fills."""

    contentHash: Final = NamedNode("https://w3id.org/aitia/ns#contentHash")
    """SHA-256 of the original bytes, in hexadecimal."""

    contradicted: Final = NamedNode("https://w3id.org/aitia/ns#contradicted")
    """What was checked says otherwise."""

    contradicts: Final = NamedNode("https://w3id.org/aitia/ns#contradicts")
    """The subject is evidence found against the object, a hypothesis or claim."""

    correctionTrigger: Final = NamedNode("https://w3id.org/aitia/ns#correctionTrigger")
    """Somebody asked for the change."""

    cost: Final = NamedNode("https://w3id.org/aitia/ns#cost")
    """What it cost."""

    counting: Final = NamedNode("https://w3id.org/aitia/ns#counting")
    """How many things fit a condition is asked for."""

    decisionsOnly: Final = NamedNode("https://w3id.org/aitia/ns#decisionsOnly")
    """Inputs, goals, proposals of models, evidence and conclusions are recorded; other steps are counted."""

    deduction: Final = NamedNode("https://w3id.org/aitia/ns#deduction")
    """A conclusion that must hold where its premises hold."""

    defaultBasis: Final = NamedNode("https://w3id.org/aitia/ns#defaultBasis")
    """The basis of a link of this kind where no link node says otherwise."""

    dependsOn: Final = NamedNode("https://w3id.org/aitia/ns#dependsOn")
    """The subject can be pursued only after the object."""

    deprecate: Final = NamedNode("https://w3id.org/aitia/ns#deprecate")
    """Keep a statement on record and use it no longer."""

    deprecated: Final = NamedNode("https://w3id.org/aitia/ns#deprecated")
    """Kept on record and no longer used."""

    derivedTrigger: Final = NamedNode("https://w3id.org/aitia/ns#derivedTrigger")
    """Several runs derived what no source states."""

    derivesFrom: Final = NamedNode("https://w3id.org/aitia/ns#derivesFrom")
    """The subject is a result whose basis, in logic or data flow, is the object."""

    describes: Final = NamedNode("https://w3id.org/aitia/ns#describes")
    """The resource that the passage, a record, is about."""

    description: Final = NamedNode("https://w3id.org/aitia/ns#description")
    """What the subject is or is for, in words."""

    dismisses: Final = NamedNode("https://w3id.org/aitia/ns#dismisses")
    """The conflict that was found to be none."""

    documentState: Final = NamedNode("https://w3id.org/aitia/ns#documentState")
    """Whether this version of the document is in use."""

    draft: Final = NamedNode("https://w3id.org/aitia/ns#draft")
    """Not handed over for checks yet."""

    duplicateEntities: Final = NamedNode("https://w3id.org/aitia/ns#duplicateEntities")
    """How many groups of resources of one class and name there are that nothing tells apart."""

    duplicatesCheck: Final = NamedNode("https://w3id.org/aitia/ns#duplicatesCheck")
    """Is it on record or proposed already?"""

    effectEnd: Final = NamedNode("https://w3id.org/aitia/ns#effectEnd")
    """Which end of a link of this kind is the effect."""

    encoding: Final = NamedNode("https://w3id.org/aitia/ns#encoding")
    """The character encoding that the bytes were read with."""

    encodingGuessed: Final = NamedNode("https://w3id.org/aitia/ns#encodingGuessed")
    """True where the encoding was guessed and not declared."""

    end: Final = NamedNode("https://w3id.org/aitia/ns#end")
    """Offset after the last character, counted in characters from 0."""

    error: Final = NamedNode("https://w3id.org/aitia/ns#error")
    """What went wrong, in words."""

    everyStep: Final = NamedNode("https://w3id.org/aitia/ns#everyStep")
    """Every step is recorded."""

    evidenceBlob: Final = NamedNode("https://w3id.org/aitia/ns#evidenceBlob")
    """Name of the blob that holds evidence which is no document on record."""

    evidenceCheck: Final = NamedNode("https://w3id.org/aitia/ns#evidenceCheck")
    """Is there evidence, and can it be reached?"""

    evidenceWeight: Final = NamedNode("https://w3id.org/aitia/ns#evidenceWeight")
    """Weight of the source that the evidence comes from, from 0 to 1."""

    exact: Final = NamedNode("https://w3id.org/aitia/ns#exact")
    """The exact words."""

    expired: Final = NamedNode("https://w3id.org/aitia/ns#expired")
    """Nobody reviewed it in time."""

    extractive: Final = NamedNode("https://w3id.org/aitia/ns#extractive")
    """The words are those of the sources."""

    factLookup: Final = NamedNode("https://w3id.org/aitia/ns#factLookup")
    """A fact about something is asked for."""

    failed: Final = NamedNode("https://w3id.org/aitia/ns#failed")
    """It ended and did not reach what it was for."""

    failsWhen: Final = NamedNode("https://w3id.org/aitia/ns#failsWhen")
    """What makes a strategy of reasoning fail."""

    figure: Final = NamedNode("https://w3id.org/aitia/ns#figure")
    """What was measured."""

    finishReason: Final = NamedNode("https://w3id.org/aitia/ns#finishReason")
    """Why the model stopped, in the word of its server."""

    focusCount: Final = NamedNode("https://w3id.org/aitia/ns#focusCount")
    """How many focus nodes were checked."""

    focusDigest: Final = NamedNode("https://w3id.org/aitia/ns#focusDigest")
    """Digest of the list of focus nodes checked."""

    fromSource: Final = NamedNode("https://w3id.org/aitia/ns#fromSource")
    """The source that the subject comes from."""

    fromState: Final = NamedNode("https://w3id.org/aitia/ns#fromState")
    """The state before the step."""

    generative: Final = NamedNode("https://w3id.org/aitia/ns#generative")
    """A language model found the words."""

    hasCause: Final = NamedNode("https://w3id.org/aitia/ns#hasCause")
    """The subject is an effect of the object; asserted beside every causal link, and the one property that why walks."""

    hasCheck: Final = NamedNode("https://w3id.org/aitia/ns#hasCheck")
    """A check that the proposal went through."""

    hasClaim: Final = NamedNode("https://w3id.org/aitia/ns#hasClaim")
    """The subject is made up of the claim, among others."""

    hasEvidence: Final = NamedNode("https://w3id.org/aitia/ns#hasEvidence")
    """What speaks for or against the proposal."""

    hasImpact: Final = NamedNode("https://w3id.org/aitia/ns#hasImpact")
    """What the proposal would change."""

    hasVerdict: Final = NamedNode("https://w3id.org/aitia/ns#hasVerdict")
    """The outcome of the review."""

    hash: Final = NamedNode("https://w3id.org/aitia/ns#hash")
    """Hash of this commit, in hexadecimal."""

    heading: Final = NamedNode("https://w3id.org/aitia/ns#heading")
    """The headings that the passage stands under, outermost first, parted by " > "."""

    highUrgency: Final = NamedNode("https://w3id.org/aitia/ns#highUrgency")
    """The words press for time."""

    hypothesisState: Final = NamedNode("https://w3id.org/aitia/ns#hypothesisState")
    """Whether the hypothesis is open, verified or refuted."""

    importedBy: Final = NamedNode("https://w3id.org/aitia/ns#importedBy")
    """The import that brought the run here: others claim it, it was not observed here."""

    inBatch: Final = NamedNode("https://w3id.org/aitia/ns#inBatch")
    """The batch that the operation was proposed in."""

    inGraph: Final = NamedNode("https://w3id.org/aitia/ns#inGraph")
    """The named graph in which the statement stands or stood."""

    inRun: Final = NamedNode("https://w3id.org/aitia/ns#inRun")
    """The run that the subject belongs to."""

    inSession: Final = NamedNode("https://w3id.org/aitia/ns#inSession")
    """The session that the run belongs to."""

    independenceCheck: Final = NamedNode("https://w3id.org/aitia/ns#independenceCheck")
    """How many independent sources are there?"""

    induction: Final = NamedNode("https://w3id.org/aitia/ns#induction")
    """A general statement from several cases that agree."""

    inferred: Final = NamedNode("https://w3id.org/aitia/ns#inferred")
    """It follows from what is on record by the axioms of the ontology."""

    input: Final = NamedNode("https://w3id.org/aitia/ns#input")
    """What the execution was given, as JSON."""

    inputBlob: Final = NamedNode("https://w3id.org/aitia/ns#inputBlob")
    """Name of the blob that holds a long input."""

    inputSchema: Final = NamedNode("https://w3id.org/aitia/ns#inputSchema")
    """What the tool or method takes, as JSON Schema."""

    inputTokens: Final = NamedNode("https://w3id.org/aitia/ns#inputTokens")
    """How many tokens a model read, as its server counts them."""

    instructionsCheck: Final = NamedNode("https://w3id.org/aitia/ns#instructionsCheck")
    """Does the evidence give instructions?"""

    intentKind: Final = NamedNode("https://w3id.org/aitia/ns#intentKind")
    """What kind of answer the input asks for."""

    latency: Final = NamedNode("https://w3id.org/aitia/ns#latency")
    """Seconds from asking to the last piece of the reply."""

    ledgerPosition: Final = NamedNode("https://w3id.org/aitia/ns#ledgerPosition")
    """Number of the newest commit that the subject could see."""

    leftOut: Final = NamedNode("https://w3id.org/aitia/ns#leftOut")
    """How many nodes a summary had no room for."""

    lightFacts: Final = NamedNode("https://w3id.org/aitia/ns#lightFacts")
    """How many statements and quotes of a source of little weight answers in force rest on."""

    linkFrom: Final = NamedNode("https://w3id.org/aitia/ns#linkFrom")
    """The start of the link."""

    linkKind: Final = NamedNode("https://w3id.org/aitia/ns#linkKind")
    """The property that the link asserts."""

    linkTo: Final = NamedNode("https://w3id.org/aitia/ns#linkTo")
    """The end of the link."""

    linkedTo: Final = NamedNode("https://w3id.org/aitia/ns#linkedTo")
    """The resource that the mention was linked to."""

    listing: Final = NamedNode("https://w3id.org/aitia/ns#listing")
    """The things that fit a condition are asked for."""

    live: Final = NamedNode("https://w3id.org/aitia/ns#live")
    """In use for answers and search."""

    location: Final = NamedNode("https://w3id.org/aitia/ns#location")
    """Where the file was read from."""

    lowUrgency: Final = NamedNode("https://w3id.org/aitia/ns#lowUrgency")
    """The words say that there is time."""

    madeStale: Final = NamedNode("https://w3id.org/aitia/ns#madeStale")
    """An answer or conclusion that rested on what the revision put out of use."""

    mention: Final = NamedNode("https://w3id.org/aitia/ns#mention")
    """The words in the input that name something."""

    mergeAliases: Final = NamedNode("https://w3id.org/aitia/ns#mergeAliases")
    """Make names of one thing into one."""

    method: Final = NamedNode("https://w3id.org/aitia/ns#method")
    """The method that the execution followed."""

    missingTrigger: Final = NamedNode("https://w3id.org/aitia/ns#missingTrigger")
    """A run abstained."""

    model: Final = NamedNode("https://w3id.org/aitia/ns#model")
    """The model that was asked."""

    motivates: Final = NamedNode("https://w3id.org/aitia/ns#motivates")
    """The subject is why the object was undertaken."""

    needsReview: Final = NamedNode("https://w3id.org/aitia/ns#needsReview")
    """It passed the checks and waits for a review."""

    negativeSentiment: Final = NamedNode("https://w3id.org/aitia/ns#negativeSentiment")
    """The words are annoyed, worried or sad."""

    neutralSentiment: Final = NamedNode("https://w3id.org/aitia/ns#neutralSentiment")
    """The words show no feeling."""

    normal: Final = NamedNode("https://w3id.org/aitia/ns#normal")
    """To be used like the others."""

    notRecorded: Final = NamedNode("https://w3id.org/aitia/ns#notRecorded")
    """How many steps behind the subject were left out of the record."""

    number: Final = NamedNode("https://w3id.org/aitia/ns#number")
    """Place of the commit in the chain, counted from 1."""

    objectEnd: Final = NamedNode("https://w3id.org/aitia/ns#objectEnd")
    """The object of the link."""

    observed: Final = NamedNode("https://w3id.org/aitia/ns#observed")
    """Data or control really flowed so, recorded by the code that ran."""

    ofProposal: Final = NamedNode("https://w3id.org/aitia/ns#ofProposal")
    """The proposal that the step belongs to."""

    open: Final = NamedNode("https://w3id.org/aitia/ns#open")
    """No test has decided it yet."""

    operationKind: Final = NamedNode("https://w3id.org/aitia/ns#operationKind")
    """What the operation does."""

    opinionOf: Final = NamedNode("https://w3id.org/aitia/ns#opinionOf")
    """Whose opinion it is; what has none is put forward as a fact."""

    order: Final = NamedNode("https://w3id.org/aitia/ns#order")
    """Place in a sequence, counted from 1."""

    ordinaryUrgency: Final = NamedNode("https://w3id.org/aitia/ns#ordinaryUrgency")
    """The words show no pressure of time."""

    originalKept: Final = NamedNode("https://w3id.org/aitia/ns#originalKept")
    """Whether the document's bytes are kept beside its text; false where they hold secrets that cannot be taken out of them."""

    orphanEntities: Final = NamedNode("https://w3id.org/aitia/ns#orphanEntities")
    """How many resources nothing is linked to and that link to nothing."""

    output: Final = NamedNode("https://w3id.org/aitia/ns#output")
    """What the execution returned, as JSON."""

    outputBlob: Final = NamedNode("https://w3id.org/aitia/ns#outputBlob")
    """Name of the blob that holds a long output."""

    outputTokens: Final = NamedNode("https://w3id.org/aitia/ns#outputTokens")
    """How many tokens a model wrote, as its server counts them."""

    page: Final = NamedNode("https://w3id.org/aitia/ns#page")
    """The page, counted from 1."""

    pageCount: Final = NamedNode("https://w3id.org/aitia/ns#pageCount")
    """How many pages the document has."""

    parameters: Final = NamedNode("https://w3id.org/aitia/ns#parameters")
    """The parameters of the execution, as JSON."""

    partOf: Final = NamedNode("https://w3id.org/aitia/ns#partOf")
    """The subject is a part of the object, in structure and not in cause."""

    patchBlob: Final = NamedNode("https://w3id.org/aitia/ns#patchBlob")
    """Name of the blob that holds what was proposed, as N-Quads with + and -."""

    path: Final = NamedNode("https://w3id.org/aitia/ns#path")
    """The document's name as it was given, relative to where it was given."""

    pending: Final = NamedNode("https://w3id.org/aitia/ns#pending")
    """It has not begun."""

    permittedBy: Final = NamedNode("https://w3id.org/aitia/ns#permittedBy")
    """The consent that a tool call which changes something had."""

    policy: Final = NamedNode("https://w3id.org/aitia/ns#policy")
    """By which policy the change was made: reviewed by people, or automatic."""

    positiveSentiment: Final = NamedNode("https://w3id.org/aitia/ns#positiveSentiment")
    """The words are friendly or content."""

    preferred: Final = NamedNode("https://w3id.org/aitia/ns#preferred")
    """To be used before the others about the same thing."""

    previousCommit: Final = NamedNode("https://w3id.org/aitia/ns#previousCommit")
    """The commit before this one."""

    previousHash: Final = NamedNode("https://w3id.org/aitia/ns#previousHash")
    """Hash of the commit before, in hexadecimal."""

    produced: Final = NamedNode("https://w3id.org/aitia/ns#produced")
    """The execution brought forth the object."""

    promptBlob: Final = NamedNode("https://w3id.org/aitia/ns#promptBlob")
    """Name of the blob that holds the prompt as it was sent."""

    promptVersion: Final = NamedNode("https://w3id.org/aitia/ns#promptVersion")
    """Name and version of the prompt."""

    proposalKind: Final = NamedNode("https://w3id.org/aitia/ns#proposalKind")
    """What kind of change is suggested."""

    proposalState: Final = NamedNode("https://w3id.org/aitia/ns#proposalState")
    """How far the proposal has come."""

    proposedBy: Final = NamedNode("https://w3id.org/aitia/ns#proposedBy")
    """Who proposed the subject."""

    proposedText: Final = NamedNode("https://w3id.org/aitia/ns#proposedText")
    """Words that would become a document of their own."""

    proposes: Final = NamedNode("https://w3id.org/aitia/ns#proposes")
    """A triple that the proposal would state."""

    publishedAt: Final = NamedNode("https://w3id.org/aitia/ns#publishedAt")
    """When the source says it was published."""

    quadCount: Final = NamedNode("https://w3id.org/aitia/ns#quadCount")
    """How many quads the subject holds."""

    quotesCheck: Final = NamedNode("https://w3id.org/aitia/ns#quotesCheck")
    """Does the stored text say each quote at its place?"""

    rank: Final = NamedNode("https://w3id.org/aitia/ns#rank")
    """How the statement stands among others about the same thing."""

    rationale: Final = NamedNode("https://w3id.org/aitia/ns#rationale")
    """The reasons that a model gave; never evidence."""

    reader: Final = NamedNode("https://w3id.org/aitia/ns#reader")
    """The reader that was used."""

    readerVersion: Final = NamedNode("https://w3id.org/aitia/ns#readerVersion")
    """The version of the reader."""

    readingOptions: Final = NamedNode("https://w3id.org/aitia/ns#readingOptions")
    """How the file was asked to be read, as JSON: its format, key field and context, where they were named."""

    reason: Final = NamedNode("https://w3id.org/aitia/ns#reason")
    """Why, in words."""

    reasoningBlob: Final = NamedNode("https://w3id.org/aitia/ns#reasoningBlob")
    """Name of the blob that holds what a model thought aloud; never evidence."""

    recheckTrigger: Final = NamedNode("https://w3id.org/aitia/ns#recheckTrigger")
    """What was accepted earlier was tested again."""

    recordingLevel: Final = NamedNode("https://w3id.org/aitia/ns#recordingLevel")
    """How much of the run was recorded."""

    redactions: Final = NamedNode("https://w3id.org/aitia/ns#redactions")
    """How many secrets were blanked out."""

    refuted: Final = NamedNode("https://w3id.org/aitia/ns#refuted")
    """It failed a named test."""

    refutes: Final = NamedNode("https://w3id.org/aitia/ns#refutes")
    """The execution is a test that the hypothesis failed."""

    rejected: Final = NamedNode("https://w3id.org/aitia/ns#rejected")
    """It was not accepted."""

    rejects: Final = NamedNode("https://w3id.org/aitia/ns#rejects")
    """The decision rejects the hypothesis."""

    relatedTo: Final = NamedNode("https://w3id.org/aitia/ns#relatedTo")
    """The two have to do with each other; an association, not a cause."""

    replaces: Final = NamedNode("https://w3id.org/aitia/ns#replaces")
    """The subject was set in place of the object."""

    replays: Final = NamedNode("https://w3id.org/aitia/ns#replays")
    """The run whose recorded replies this one used."""

    replyBlob: Final = NamedNode("https://w3id.org/aitia/ns#replyBlob")
    """Name of the blob that holds the replies as they came."""

    reportBlob: Final = NamedNode("https://w3id.org/aitia/ns#reportBlob")
    """Name of the blob that holds the sh:ValidationReport, as Turtle."""

    reservedBy: Final = NamedNode("https://w3id.org/aitia/ns#reservedBy")
    """Who reserved it."""

    reservedUntil: Final = NamedNode("https://w3id.org/aitia/ns#reservedUntil")
    """When the reservation ends."""

    reserves: Final = NamedNode("https://w3id.org/aitia/ns#reserves")
    """The proposal that is reserved."""

    retired: Final = NamedNode("https://w3id.org/aitia/ns#retired")
    """Taken out of use without a newer version."""

    retract: Final = NamedNode("https://w3id.org/aitia/ns#retract")
    """Take a statement back because it is wrong."""

    returned: Final = NamedNode("https://w3id.org/aitia/ns#returned")
    """A review asks for changes."""

    reviewWeight: Final = NamedNode("https://w3id.org/aitia/ns#reviewWeight")
    """How much an approval of this reviewer counts."""

    reviews: Final = NamedNode("https://w3id.org/aitia/ns#reviews")
    """The proposal that is judged."""

    revise: Final = NamedNode("https://w3id.org/aitia/ns#revise")
    """Put a new version in place of a statement."""

    rewrittenLiterals: Final = NamedNode("https://w3id.org/aitia/ns#rewrittenLiterals")
    """How many literals the store rewrote to its canonical form."""

    root: Final = NamedNode("https://w3id.org/aitia/ns#root")
    """Root hash over the salted leaves of the patch, in hexadecimal; the name of its blob."""

    rule: Final = NamedNode("https://w3id.org/aitia/ns#rule")
    """Name of the rule by which the conflict was found."""

    runMethod: Final = NamedNode("https://w3id.org/aitia/ns#runMethod")
    """A method is run for a goal."""

    running: Final = NamedNode("https://w3id.org/aitia/ns#running")
    """It has begun and not ended."""

    sameContentAs: Final = NamedNode("https://w3id.org/aitia/ns#sameContentAs")
    """The two documents have the same bytes under different names."""

    sentiment: Final = NamedNode("https://w3id.org/aitia/ns#sentiment")
    """How the asker feels."""

    serves: Final = NamedNode("https://w3id.org/aitia/ns#serves")
    """The execution was undertaken for the goal."""

    setGoalStatus: Final = NamedNode("https://w3id.org/aitia/ns#setGoalStatus")
    """A goal is declared reached, failed or abandoned."""

    shapesBlob: Final = NamedNode("https://w3id.org/aitia/ns#shapesBlob")
    """Name of the blob that holds the text of the shapes, as Turtle."""

    shapesCheck: Final = NamedNode("https://w3id.org/aitia/ns#shapesCheck")
    """Would the change conform to all shapes?"""

    shapesVersion: Final = NamedNode("https://w3id.org/aitia/ns#shapesVersion")
    """Version of the shapes that the patch was judged by."""

    shown: Final = NamedNode("https://w3id.org/aitia/ns#shown")
    """What a model was shown in its prompt. Not a cause: that something was shown does not say that it was used."""

    shownDigest: Final = NamedNode("https://w3id.org/aitia/ns#shownDigest")
    """SHA-256 over what the reviewer was shown of the proposal."""

    sideEffect: Final = NamedNode("https://w3id.org/aitia/ns#sideEffect")
    """Whether the tool changes something outside."""

    signature: Final = NamedNode("https://w3id.org/aitia/ns#signature")
    """Ed25519 signature of the hash, in hexadecimal."""

    signedBy: Final = NamedNode("https://w3id.org/aitia/ns#signedBy")
    """Ed25519 public key that checks the signature, in hexadecimal."""

    similarTo: Final = NamedNode("https://w3id.org/aitia/ns#similarTo")
    """The two resemble each other; an association, not a cause."""

    singleSourceFacts: Final = NamedNode("https://w3id.org/aitia/ns#singleSourceFacts")
    """How many facts in force only one source states."""

    softwareVersion: Final = NamedNode("https://w3id.org/aitia/ns#softwareVersion")
    """The version of aitia that wrote the subject."""

    sourceKey: Final = NamedNode("https://w3id.org/aitia/ns#sourceKey")
    """What tells independent sources apart: copies of one text have the same."""

    sourceKind: Final = NamedNode("https://w3id.org/aitia/ns#sourceKind")
    """What kind of source the evidence comes from, by the user's settings."""

    staleAnswers: Final = NamedNode("https://w3id.org/aitia/ns#staleAnswers")
    """How many answers rest on what is no longer so and were not asked again."""

    standingConflicts: Final = NamedNode("https://w3id.org/aitia/ns#standingConflicts")
    """How many conflicts on record stand."""

    start: Final = NamedNode("https://w3id.org/aitia/ns#start")
    """Offset of the first character, counted in characters from 0."""

    status: Final = NamedNode("https://w3id.org/aitia/ns#status")
    """How far the subject has come."""

    strategy: Final = NamedNode("https://w3id.org/aitia/ns#strategy")
    """The strategy that was followed."""

    subgoalOf: Final = NamedNode("https://w3id.org/aitia/ns#subgoalOf")
    """The subject is a goal set to reach the object."""

    subjectEnd: Final = NamedNode("https://w3id.org/aitia/ns#subjectEnd")
    """The subject of the link."""

    subjectsCheck: Final = NamedNode("https://w3id.org/aitia/ns#subjectsCheck")
    """Is what the change speaks of on record?"""

    succeeded: Final = NamedNode("https://w3id.org/aitia/ns#succeeded")
    """It ended and reached what it was for."""

    successTest: Final = NamedNode("https://w3id.org/aitia/ns#successTest")
    """What must hold for the goal to be reached."""

    superseded: Final = NamedNode("https://w3id.org/aitia/ns#superseded")
    """A newer version took its place."""

    supersededProposal: Final = NamedNode(
        "https://w3id.org/aitia/ns#supersededProposal"
    )
    """A later proposal took its place."""

    supportState: Final = NamedNode("https://w3id.org/aitia/ns#supportState")
    """Whether the claim is supported by what it rests on."""

    supported: Final = NamedNode("https://w3id.org/aitia/ns#supported")
    """What it rests on was checked and bears it out."""

    supports: Final = NamedNode("https://w3id.org/aitia/ns#supports")
    """The subject is evidence found for the object, a hypothesis or claim."""

    tested: Final = NamedNode("https://w3id.org/aitia/ns#tested")
    """A test that was carried out found it."""

    text: Final = NamedNode("https://w3id.org/aitia/ns#text")
    """What the subject says, in words."""

    textHash: Final = NamedNode("https://w3id.org/aitia/ns#textHash")
    """SHA-256 of the stored text as UTF-8, in hexadecimal; the name of its blob."""

    textQuestion: Final = NamedNode("https://w3id.org/aitia/ns#textQuestion")
    """What the texts say is asked for."""

    threshold: Final = NamedNode("https://w3id.org/aitia/ns#threshold")
    """The value of that setting."""

    toState: Final = NamedNode("https://w3id.org/aitia/ns#toState")
    """The state after the step."""

    tokens: Final = NamedNode("https://w3id.org/aitia/ns#tokens")
    """How many tokens a model used."""

    tried: Final = NamedNode("https://w3id.org/aitia/ns#tried")
    """What was tried before abstaining."""

    trigger: Final = NamedNode("https://w3id.org/aitia/ns#trigger")
    """What made the proposal arise."""

    triggers: Final = NamedNode("https://w3id.org/aitia/ns#triggers")
    """The subject, an event, set off the object, an action; timing or control, not evidence."""

    typesCheck: Final = NamedNode("https://w3id.org/aitia/ns#typesCheck")
    """Is the value of the kind that the property has elsewhere?"""

    undoes: Final = NamedNode("https://w3id.org/aitia/ns#undoes")
    """The earlier revision that this one takes back."""

    undone: Final = NamedNode("https://w3id.org/aitia/ns#undone")
    """It was approved, and the change was taken back later."""

    unsourcedFacts: Final = NamedNode("https://w3id.org/aitia/ns#unsourcedFacts")
    """How many facts in force no document and no accepted proposal states."""

    unsupported: Final = NamedNode("https://w3id.org/aitia/ns#unsupported")
    """Nothing that was checked bears it out."""

    urgency: Final = NamedNode("https://w3id.org/aitia/ns#urgency")
    """How much the asker is pressed."""

    usedTool: Final = NamedNode("https://w3id.org/aitia/ns#usedTool")
    """The execution used the object, a tool or a method's input."""

    validFrom: Final = NamedNode("https://w3id.org/aitia/ns#validFrom")
    """From when the statement holds in the world."""

    validUntil: Final = NamedNode("https://w3id.org/aitia/ns#validUntil")
    """Until when the statement holds in the world."""

    verified: Final = NamedNode("https://w3id.org/aitia/ns#verified")
    """It passed a named test."""

    verifierCheck: Final = NamedNode("https://w3id.org/aitia/ns#verifierCheck")
    """Does a model that sees only the evidence agree?"""

    verifies: Final = NamedNode("https://w3id.org/aitia/ns#verifies")
    """The execution is a test that the hypothesis passed."""

    waitingProposals: Final = NamedNode("https://w3id.org/aitia/ns#waitingProposals")
    """How many proposals wait for a review."""

    warning: Final = NamedNode("https://w3id.org/aitia/ns#warning")
    """Something the reader of the record should know."""

    watched: Final = NamedNode("https://w3id.org/aitia/ns#watched")
    """The setting whose threshold was passed."""

    weight: Final = NamedNode("https://w3id.org/aitia/ns#weight")
    """How far a source is trusted, from 0 to 1."""

    why: Final = NamedNode("https://w3id.org/aitia/ns#why")
    """The reason for which the subject was set."""

    withdraws: Final = NamedNode("https://w3id.org/aitia/ns#withdraws")
    """A triple or words of a text that the proposal would take out of use."""

    wrote: Final = NamedNode("https://w3id.org/aitia/ns#wrote")
    """A statement or document that the revision put on record as holding."""


@final
class CITO:
    """Terms of http://purl.org/spar/cito/."""

    NS: Final = "http://purl.org/spar/cito/"

    citesAsEvidence: Final = NamedNode("http://purl.org/spar/cito/citesAsEvidence")
    """The subject cites the object as evidence."""

    disputes: Final = NamedNode("http://purl.org/spar/cito/disputes")
    """The subject disagrees with the object."""

    supports: Final = NamedNode("http://purl.org/spar/cito/supports")
    """The subject backs the object."""


@final
class DCTERMS:
    """Terms of http://purl.org/dc/terms/."""

    NS: Final = "http://purl.org/dc/terms/"

    created: Final = NamedNode("http://purl.org/dc/terms/created")
    """When the resource was created."""

    description: Final = NamedNode("http://purl.org/dc/terms/description")
    """An account of the resource."""

    format: Final = NamedNode("http://purl.org/dc/terms/format")
    """The media type."""

    isPartOf: Final = NamedNode("http://purl.org/dc/terms/isPartOf")
    """The resource that the subject is part of."""

    language: Final = NamedNode("http://purl.org/dc/terms/language")
    """The language."""

    license: Final = NamedNode("http://purl.org/dc/terms/license")
    """The licence."""

    relation: Final = NamedNode("http://purl.org/dc/terms/relation")
    """A related resource."""

    replaces: Final = NamedNode("http://purl.org/dc/terms/replaces")
    """The resource that the subject replaces."""

    source: Final = NamedNode("http://purl.org/dc/terms/source")
    """The resource that the subject comes from."""

    title: Final = NamedNode("http://purl.org/dc/terms/title")
    """A name given to the resource."""


@final
class DQV:
    """Terms of http://www.w3.org/ns/dqv#."""

    NS: Final = "http://www.w3.org/ns/dqv#"

    Metric: Final = NamedNode("http://www.w3.org/ns/dqv#Metric")
    """A standard by which quality is measured."""

    QualityAnnotation: Final = NamedNode("http://www.w3.org/ns/dqv#QualityAnnotation")
    """A remark on the quality of something."""

    QualityMeasurement: Final = NamedNode("http://www.w3.org/ns/dqv#QualityMeasurement")
    """The value that a metric has for something."""

    QualityMeasurementDataset: Final = NamedNode(
        "http://www.w3.org/ns/dqv#QualityMeasurementDataset"
    )
    """Measurements that were made together."""

    computedOn: Final = NamedNode("http://www.w3.org/ns/dqv#computedOn")
    """What was measured."""

    isMeasurementOf: Final = NamedNode("http://www.w3.org/ns/dqv#isMeasurementOf")
    """The metric that was measured."""

    value: Final = NamedNode("http://www.w3.org/ns/dqv#value")
    """The value that was measured."""


@final
class EARL:
    """Terms of http://www.w3.org/ns/earl#."""

    NS: Final = "http://www.w3.org/ns/earl#"

    Assertion: Final = NamedNode("http://www.w3.org/ns/earl#Assertion")
    """A statement that a test was made and how it came out."""

    TestCriterion: Final = NamedNode("http://www.w3.org/ns/earl#TestCriterion")
    """What a test can be made of."""

    TestResult: Final = NamedNode("http://www.w3.org/ns/earl#TestResult")
    """How a test came out."""

    assertedBy: Final = NamedNode("http://www.w3.org/ns/earl#assertedBy")
    """Who made the test."""

    automatic: Final = NamedNode("http://www.w3.org/ns/earl#automatic")
    """The test was made by a program."""

    cantTell: Final = NamedNode("http://www.w3.org/ns/earl#cantTell")
    """The test gave no clear outcome."""

    failed: Final = NamedNode("http://www.w3.org/ns/earl#failed")
    """The test was failed."""

    inapplicable: Final = NamedNode("http://www.w3.org/ns/earl#inapplicable")
    """The test does not apply."""

    manual: Final = NamedNode("http://www.w3.org/ns/earl#manual")
    """The test was made by a person."""

    mode: Final = NamedNode("http://www.w3.org/ns/earl#mode")
    """How the test was made."""

    outcome: Final = NamedNode("http://www.w3.org/ns/earl#outcome")
    """The outcome of the test."""

    passed: Final = NamedNode("http://www.w3.org/ns/earl#passed")
    """The test was passed."""

    result: Final = NamedNode("http://www.w3.org/ns/earl#result")
    """The result of the test."""

    subject: Final = NamedNode("http://www.w3.org/ns/earl#subject")
    """What was tested."""

    test: Final = NamedNode("http://www.w3.org/ns/earl#test")
    """The test."""

    untested: Final = NamedNode("http://www.w3.org/ns/earl#untested")
    """The test was not made."""


@final
class OA:
    """Terms of http://www.w3.org/ns/oa#."""

    NS: Final = "http://www.w3.org/ns/oa#"

    SpecificResource: Final = NamedNode("http://www.w3.org/ns/oa#SpecificResource")
    """A part or state of a resource."""

    TextPositionSelector: Final = NamedNode(
        "http://www.w3.org/ns/oa#TextPositionSelector"
    )
    """Selects text by character offsets."""

    TextQuoteSelector: Final = NamedNode("http://www.w3.org/ns/oa#TextQuoteSelector")
    """Selects text by its words."""

    end: Final = NamedNode("http://www.w3.org/ns/oa#end")
    """Offset after the last character."""

    exact: Final = NamedNode("http://www.w3.org/ns/oa#exact")
    """The selected words."""

    hasSelector: Final = NamedNode("http://www.w3.org/ns/oa#hasSelector")
    """How the part is selected."""

    hasSource: Final = NamedNode("http://www.w3.org/ns/oa#hasSource")
    """The resource that the part belongs to."""

    hasTarget: Final = NamedNode("http://www.w3.org/ns/oa#hasTarget")
    """What an annotation is about."""

    prefix: Final = NamedNode("http://www.w3.org/ns/oa#prefix")
    """The words before."""

    start: Final = NamedNode("http://www.w3.org/ns/oa#start")
    """Offset of the first character."""

    suffix: Final = NamedNode("http://www.w3.org/ns/oa#suffix")
    """The words after."""


@final
class OWL:
    """Terms of http://www.w3.org/2002/07/owl#."""

    NS: Final = "http://www.w3.org/2002/07/owl#"

    AllDifferent: Final = NamedNode("http://www.w3.org/2002/07/owl#AllDifferent")
    """Things that are different from each other, listed."""

    AllDisjointClasses: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#AllDisjointClasses"
    )
    """Classes of which no two have a member in common, listed."""

    AllDisjointProperties: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#AllDisjointProperties"
    )
    """Properties of which no two hold between the same nodes, listed."""

    AnnotationProperty: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#AnnotationProperty"
    )
    """A property that says something about a term."""

    AsymmetricProperty: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#AsymmetricProperty"
    )
    """A property that never holds both ways."""

    Class: Final = NamedNode("http://www.w3.org/2002/07/owl#Class")
    """A class."""

    DatatypeProperty: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#DatatypeProperty"
    )
    """A property with literal values."""

    FunctionalProperty: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#FunctionalProperty"
    )
    """A property of which each node has at most one value."""

    InverseFunctionalProperty: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#InverseFunctionalProperty"
    )
    """A property of which each value belongs to at most one node."""

    IrreflexiveProperty: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#IrreflexiveProperty"
    )
    """A property that nothing has to itself."""

    NamedIndividual: Final = NamedNode("http://www.w3.org/2002/07/owl#NamedIndividual")
    """A named individual."""

    ObjectProperty: Final = NamedNode("http://www.w3.org/2002/07/owl#ObjectProperty")
    """A property between resources."""

    Ontology: Final = NamedNode("http://www.w3.org/2002/07/owl#Ontology")
    """An ontology."""

    Restriction: Final = NamedNode("http://www.w3.org/2002/07/owl#Restriction")
    """A class of what has certain values."""

    SymmetricProperty: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#SymmetricProperty"
    )
    """A property that holds both ways or not at all."""

    Thing: Final = NamedNode("http://www.w3.org/2002/07/owl#Thing")
    """Everything."""

    TransitiveProperty: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#TransitiveProperty"
    )
    """A property that holds across what lies between."""

    allValuesFrom: Final = NamedNode("http://www.w3.org/2002/07/owl#allValuesFrom")
    """Members of the restriction have only values of this class."""

    cardinality: Final = NamedNode("http://www.w3.org/2002/07/owl#cardinality")
    """How many values of a property members of the restriction have."""

    complementOf: Final = NamedNode("http://www.w3.org/2002/07/owl#complementOf")
    """The class has as members all that the other has not."""

    differentFrom: Final = NamedNode("http://www.w3.org/2002/07/owl#differentFrom")
    """The two are not one."""

    disjointWith: Final = NamedNode("http://www.w3.org/2002/07/owl#disjointWith")
    """The two classes have no member in common."""

    distinctMembers: Final = NamedNode("http://www.w3.org/2002/07/owl#distinctMembers")
    """The list of things that are different from each other."""

    equivalentClass: Final = NamedNode("http://www.w3.org/2002/07/owl#equivalentClass")
    """The two classes have the same members."""

    equivalentProperty: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#equivalentProperty"
    )
    """The two properties link the same nodes."""

    hasValue: Final = NamedNode("http://www.w3.org/2002/07/owl#hasValue")
    """The value that makes a member of the restriction."""

    intersectionOf: Final = NamedNode("http://www.w3.org/2002/07/owl#intersectionOf")
    """The classes that a member is of, all of them."""

    inverseOf: Final = NamedNode("http://www.w3.org/2002/07/owl#inverseOf")
    """The properties are each other's inverse."""

    maxCardinality: Final = NamedNode("http://www.w3.org/2002/07/owl#maxCardinality")
    """How many values of a property members of the restriction have at most."""

    maxQualifiedCardinality: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#maxQualifiedCardinality"
    )
    """How many values of a class members of the restriction have at most."""

    members: Final = NamedNode("http://www.w3.org/2002/07/owl#members")
    """The list of what an axiom speaks of."""

    onClass: Final = NamedNode("http://www.w3.org/2002/07/owl#onClass")
    """The class of the values that a restriction counts."""

    onProperty: Final = NamedNode("http://www.w3.org/2002/07/owl#onProperty")
    """The property that the restriction is about."""

    oneOf: Final = NamedNode("http://www.w3.org/2002/07/owl#oneOf")
    """The members of the class, listed."""

    propertyChainAxiom: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#propertyChainAxiom"
    )
    """The chain of properties that leads where this property leads."""

    propertyDisjointWith: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#propertyDisjointWith"
    )
    """The two properties never hold between the same nodes."""

    qualifiedCardinality: Final = NamedNode(
        "http://www.w3.org/2002/07/owl#qualifiedCardinality"
    )
    """How many values of a class members of the restriction have."""

    sameAs: Final = NamedNode("http://www.w3.org/2002/07/owl#sameAs")
    """The two are one."""

    someValuesFrom: Final = NamedNode("http://www.w3.org/2002/07/owl#someValuesFrom")
    """Members of the restriction have some value of this class."""

    unionOf: Final = NamedNode("http://www.w3.org/2002/07/owl#unionOf")
    """The classes that a member is of, at least one of them."""

    versionIRI: Final = NamedNode("http://www.w3.org/2002/07/owl#versionIRI")
    """The IRI of this version."""


@final
class PROV:
    """Terms of http://www.w3.org/ns/prov#."""

    NS: Final = "http://www.w3.org/ns/prov#"

    Activity: Final = NamedNode("http://www.w3.org/ns/prov#Activity")
    """Something that happens over time and acts on entities."""

    Agent: Final = NamedNode("http://www.w3.org/ns/prov#Agent")
    """Something that bears responsibility."""

    Bundle: Final = NamedNode("http://www.w3.org/ns/prov#Bundle")
    """A named set of provenance statements."""

    Collection: Final = NamedNode("http://www.w3.org/ns/prov#Collection")
    """An entity that holds other entities."""

    Entity: Final = NamedNode("http://www.w3.org/ns/prov#Entity")
    """A thing whose provenance is told."""

    Influence: Final = NamedNode("http://www.w3.org/ns/prov#Influence")
    """A qualified influence."""

    Person: Final = NamedNode("http://www.w3.org/ns/prov#Person")
    """A human agent."""

    Plan: Final = NamedNode("http://www.w3.org/ns/prov#Plan")
    """A set of intended actions."""

    SoftwareAgent: Final = NamedNode("http://www.w3.org/ns/prov#SoftwareAgent")
    """A program as agent."""

    endedAtTime: Final = NamedNode("http://www.w3.org/ns/prov#endedAtTime")
    """When the activity ended."""

    generated: Final = NamedNode("http://www.w3.org/ns/prov#generated")
    """The activity brought forth the entity."""

    generatedAtTime: Final = NamedNode("http://www.w3.org/ns/prov#generatedAtTime")
    """When the entity came to be."""

    hadMember: Final = NamedNode("http://www.w3.org/ns/prov#hadMember")
    """The collection holds the entity."""

    hadPlan: Final = NamedNode("http://www.w3.org/ns/prov#hadPlan")
    """The plan that an agent followed."""

    hadPrimarySource: Final = NamedNode("http://www.w3.org/ns/prov#hadPrimarySource")
    """The entity comes first-hand from the other."""

    influenced: Final = NamedNode("http://www.w3.org/ns/prov#influenced")
    """The subject influenced the object."""

    influencer: Final = NamedNode("http://www.w3.org/ns/prov#influencer")
    """The one that influenced."""

    invalidatedAtTime: Final = NamedNode("http://www.w3.org/ns/prov#invalidatedAtTime")
    """When the entity ceased to hold."""

    specializationOf: Final = NamedNode("http://www.w3.org/ns/prov#specializationOf")
    """The entity is a more specific aspect of the other."""

    startedAtTime: Final = NamedNode("http://www.w3.org/ns/prov#startedAtTime")
    """When the activity started."""

    used: Final = NamedNode("http://www.w3.org/ns/prov#used")
    """The activity used the entity."""

    wasAssociatedWith: Final = NamedNode("http://www.w3.org/ns/prov#wasAssociatedWith")
    """The agent was responsible for the activity."""

    wasAttributedTo: Final = NamedNode("http://www.w3.org/ns/prov#wasAttributedTo")
    """The entity is ascribed to the agent."""

    wasDerivedFrom: Final = NamedNode("http://www.w3.org/ns/prov#wasDerivedFrom")
    """The entity was made out of the other."""

    wasEndedBy: Final = NamedNode("http://www.w3.org/ns/prov#wasEndedBy")
    """The activity was ended by the entity."""

    wasGeneratedBy: Final = NamedNode("http://www.w3.org/ns/prov#wasGeneratedBy")
    """The entity was brought forth by the activity."""

    wasInfluencedBy: Final = NamedNode("http://www.w3.org/ns/prov#wasInfluencedBy")
    """The subject was influenced by the object."""

    wasInformedBy: Final = NamedNode("http://www.w3.org/ns/prov#wasInformedBy")
    """The activity used what the other brought forth."""

    wasInvalidatedBy: Final = NamedNode("http://www.w3.org/ns/prov#wasInvalidatedBy")
    """The entity was ended by the activity."""

    wasQuotedFrom: Final = NamedNode("http://www.w3.org/ns/prov#wasQuotedFrom")
    """The entity repeats words of the other."""

    wasRevisionOf: Final = NamedNode("http://www.w3.org/ns/prov#wasRevisionOf")
    """The entity is a new version of the other."""

    wasStartedBy: Final = NamedNode("http://www.w3.org/ns/prov#wasStartedBy")
    """The activity was started by the entity."""


@final
class RDF:
    """Terms of http://www.w3.org/1999/02/22-rdf-syntax-ns#."""

    NS: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

    List: Final = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#List")
    """A list."""

    Property: Final = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#Property")
    """A property."""

    Statement: Final = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#Statement")
    """A reified triple."""

    first: Final = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#first")
    """The first member of a list."""

    nil: Final = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#nil")
    """The empty list."""

    object: Final = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#object")
    """Object of a reified triple."""

    predicate: Final = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#predicate")
    """Predicate of a reified triple."""

    rest: Final = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#rest")
    """What follows the first member of a list."""

    subject: Final = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#subject")
    """Subject of a reified triple."""

    type: Final = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    """Membership in a class."""


@final
class RDFS:
    """Terms of http://www.w3.org/2000/01/rdf-schema#."""

    NS: Final = "http://www.w3.org/2000/01/rdf-schema#"

    Class: Final = NamedNode("http://www.w3.org/2000/01/rdf-schema#Class")
    """A class."""

    Datatype: Final = NamedNode("http://www.w3.org/2000/01/rdf-schema#Datatype")
    """A class of literals."""

    Resource: Final = NamedNode("http://www.w3.org/2000/01/rdf-schema#Resource")
    """Everything."""

    comment: Final = NamedNode("http://www.w3.org/2000/01/rdf-schema#comment")
    """A description for people."""

    domain: Final = NamedNode("http://www.w3.org/2000/01/rdf-schema#domain")
    """The class of a property's subjects."""

    isDefinedBy: Final = NamedNode("http://www.w3.org/2000/01/rdf-schema#isDefinedBy")
    """Where the subject is defined."""

    label: Final = NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
    """A name for people."""

    range: Final = NamedNode("http://www.w3.org/2000/01/rdf-schema#range")
    """The class of a property's values."""

    seeAlso: Final = NamedNode("http://www.w3.org/2000/01/rdf-schema#seeAlso")
    """Where more is said."""

    subClassOf: Final = NamedNode("http://www.w3.org/2000/01/rdf-schema#subClassOf")
    """Every member of the subject is a member of the object."""

    subPropertyOf: Final = NamedNode(
        "http://www.w3.org/2000/01/rdf-schema#subPropertyOf"
    )
    """Whatever the subject links, the object links."""


@final
class SH:
    """Terms of http://www.w3.org/ns/shacl#."""

    NS: Final = "http://www.w3.org/ns/shacl#"

    BlankNode: Final = NamedNode("http://www.w3.org/ns/shacl#BlankNode")
    """A blank node."""

    BlankNodeOrIRI: Final = NamedNode("http://www.w3.org/ns/shacl#BlankNodeOrIRI")
    """A blank node or an IRI."""

    BlankNodeOrLiteral: Final = NamedNode(
        "http://www.w3.org/ns/shacl#BlankNodeOrLiteral"
    )
    """A blank node or a literal."""

    IRI: Final = NamedNode("http://www.w3.org/ns/shacl#IRI")
    """An IRI."""

    IRIOrLiteral: Final = NamedNode("http://www.w3.org/ns/shacl#IRIOrLiteral")
    """An IRI or a literal."""

    Info: Final = NamedNode("http://www.w3.org/ns/shacl#Info")
    """The mildest severity."""

    Literal: Final = NamedNode("http://www.w3.org/ns/shacl#Literal")
    """A literal."""

    NodeShape: Final = NamedNode("http://www.w3.org/ns/shacl#NodeShape")
    """A shape that constrains focus nodes."""

    PropertyShape: Final = NamedNode("http://www.w3.org/ns/shacl#PropertyShape")
    """A shape that constrains values along a path."""

    ValidationReport: Final = NamedNode("http://www.w3.org/ns/shacl#ValidationReport")
    """The report of a validation."""

    ValidationResult: Final = NamedNode("http://www.w3.org/ns/shacl#ValidationResult")
    """One result in a report."""

    Violation: Final = NamedNode("http://www.w3.org/ns/shacl#Violation")
    """The gravest severity."""

    Warning: Final = NamedNode("http://www.w3.org/ns/shacl#Warning")
    """The middle severity."""

    and_: Final = NamedNode("http://www.w3.org/ns/shacl#and")
    """The list of shapes that a node conforms to."""

    class_: Final = NamedNode("http://www.w3.org/ns/shacl#class")
    """The class that every value is a member of."""

    closed: Final = NamedNode("http://www.w3.org/ns/shacl#closed")
    """Whether other properties than those listed are refused."""

    conforms: Final = NamedNode("http://www.w3.org/ns/shacl#conforms")
    """Whether the data conforms."""

    datatype: Final = NamedNode("http://www.w3.org/ns/shacl#datatype")
    """The datatype that every value has."""

    deactivated: Final = NamedNode("http://www.w3.org/ns/shacl#deactivated")
    """Whether the shape is passed over."""

    declare: Final = NamedNode("http://www.w3.org/ns/shacl#declare")
    """A prefix that is declared."""

    detail: Final = NamedNode("http://www.w3.org/ns/shacl#detail")
    """A result that says more about a result."""

    disjoint: Final = NamedNode("http://www.w3.org/ns/shacl#disjoint")
    """No value is one of the property."""

    equals: Final = NamedNode("http://www.w3.org/ns/shacl#equals")
    """The values are those of the property."""

    focusNode: Final = NamedNode("http://www.w3.org/ns/shacl#focusNode")
    """The node that was checked."""

    hasValue: Final = NamedNode("http://www.w3.org/ns/shacl#hasValue")
    """A value that must be among the values."""

    ignoredProperties: Final = NamedNode("http://www.w3.org/ns/shacl#ignoredProperties")
    """The properties that a closed shape lets pass."""

    in_: Final = NamedNode("http://www.w3.org/ns/shacl#in")
    """The list that every value is taken from."""

    inversePath: Final = NamedNode("http://www.w3.org/ns/shacl#inversePath")
    """The path in the other direction."""

    languageIn: Final = NamedNode("http://www.w3.org/ns/shacl#languageIn")
    """The languages that values may have."""

    lessThan: Final = NamedNode("http://www.w3.org/ns/shacl#lessThan")
    """Every value is below every value of the property."""

    lessThanOrEquals: Final = NamedNode("http://www.w3.org/ns/shacl#lessThanOrEquals")
    """Every value is at or below every value of the property."""

    maxCount: Final = NamedNode("http://www.w3.org/ns/shacl#maxCount")
    """The greatest number of values."""

    maxExclusive: Final = NamedNode("http://www.w3.org/ns/shacl#maxExclusive")
    """Every value is below it."""

    maxInclusive: Final = NamedNode("http://www.w3.org/ns/shacl#maxInclusive")
    """The greatest value."""

    maxLength: Final = NamedNode("http://www.w3.org/ns/shacl#maxLength")
    """The greatest number of characters."""

    message: Final = NamedNode("http://www.w3.org/ns/shacl#message")
    """What a result says."""

    minCount: Final = NamedNode("http://www.w3.org/ns/shacl#minCount")
    """The least number of values."""

    minExclusive: Final = NamedNode("http://www.w3.org/ns/shacl#minExclusive")
    """Every value is above it."""

    minInclusive: Final = NamedNode("http://www.w3.org/ns/shacl#minInclusive")
    """The least value."""

    minLength: Final = NamedNode("http://www.w3.org/ns/shacl#minLength")
    """The least number of characters."""

    name: Final = NamedNode("http://www.w3.org/ns/shacl#name")
    """A name of a property shape for people."""

    node: Final = NamedNode("http://www.w3.org/ns/shacl#node")
    """A shape that the values must conform to."""

    nodeKind: Final = NamedNode("http://www.w3.org/ns/shacl#nodeKind")
    """Whether values are IRIs, blank nodes or literals."""

    not_: Final = NamedNode("http://www.w3.org/ns/shacl#not")
    """A shape that a node must not conform to."""

    or_: Final = NamedNode("http://www.w3.org/ns/shacl#or")
    """The list of shapes of which a node conforms to one at least."""

    path: Final = NamedNode("http://www.w3.org/ns/shacl#path")
    """The path from a focus node to the values that a property shape constrains."""

    pattern: Final = NamedNode("http://www.w3.org/ns/shacl#pattern")
    """The regular expression that every value matches."""

    prefixes: Final = NamedNode("http://www.w3.org/ns/shacl#prefixes")
    """Where the prefixes of a query are declared."""

    property: Final = NamedNode("http://www.w3.org/ns/shacl#property")
    """A property shape that the focus nodes must conform to."""

    qualifiedMaxCount: Final = NamedNode("http://www.w3.org/ns/shacl#qualifiedMaxCount")
    """The greatest number of values that conform."""

    qualifiedMinCount: Final = NamedNode("http://www.w3.org/ns/shacl#qualifiedMinCount")
    """The least number of values that conform."""

    qualifiedValueShape: Final = NamedNode(
        "http://www.w3.org/ns/shacl#qualifiedValueShape"
    )
    """The shape that a number of values must conform to."""

    result: Final = NamedNode("http://www.w3.org/ns/shacl#result")
    """A result of the report."""

    resultMessage: Final = NamedNode("http://www.w3.org/ns/shacl#resultMessage")
    """What the result says."""

    resultPath: Final = NamedNode("http://www.w3.org/ns/shacl#resultPath")
    """The path that was checked."""

    resultSeverity: Final = NamedNode("http://www.w3.org/ns/shacl#resultSeverity")
    """How grave the result is."""

    severity: Final = NamedNode("http://www.w3.org/ns/shacl#severity")
    """How grave results of the shape are."""

    sourceConstraintComponent: Final = NamedNode(
        "http://www.w3.org/ns/shacl#sourceConstraintComponent"
    )
    """The component that gave the result."""

    sourceShape: Final = NamedNode("http://www.w3.org/ns/shacl#sourceShape")
    """The shape that gave the result."""

    targetClass: Final = NamedNode("http://www.w3.org/ns/shacl#targetClass")
    """The members of the class are focus nodes."""

    targetNode: Final = NamedNode("http://www.w3.org/ns/shacl#targetNode")
    """The node is a focus node."""

    targetObjectsOf: Final = NamedNode("http://www.w3.org/ns/shacl#targetObjectsOf")
    """Whatever is a value of the property is a focus node."""

    targetSubjectsOf: Final = NamedNode("http://www.w3.org/ns/shacl#targetSubjectsOf")
    """Whatever has the property is a focus node."""

    uniqueLang: Final = NamedNode("http://www.w3.org/ns/shacl#uniqueLang")
    """Whether each language is used once at most."""

    value: Final = NamedNode("http://www.w3.org/ns/shacl#value")
    """The value that gave the result."""

    xone: Final = NamedNode("http://www.w3.org/ns/shacl#xone")
    """The list of shapes of which a node conforms to exactly one."""


@final
class SKOS:
    """Terms of http://www.w3.org/2004/02/skos/core#."""

    NS: Final = "http://www.w3.org/2004/02/skos/core#"

    Concept: Final = NamedNode("http://www.w3.org/2004/02/skos/core#Concept")
    """A unit of thought."""

    altLabel: Final = NamedNode("http://www.w3.org/2004/02/skos/core#altLabel")
    """Another name."""

    broadMatch: Final = NamedNode("http://www.w3.org/2004/02/skos/core#broadMatch")
    """A wider concept."""

    closeMatch: Final = NamedNode("http://www.w3.org/2004/02/skos/core#closeMatch")
    """Nearly the same concept."""

    definition: Final = NamedNode("http://www.w3.org/2004/02/skos/core#definition")
    """A full explanation."""

    exactMatch: Final = NamedNode("http://www.w3.org/2004/02/skos/core#exactMatch")
    """The same concept."""

    prefLabel: Final = NamedNode("http://www.w3.org/2004/02/skos/core#prefLabel")
    """The preferred name."""

    relatedMatch: Final = NamedNode("http://www.w3.org/2004/02/skos/core#relatedMatch")
    """A concept that has to do with it."""


@final
class XSD:
    """Terms of http://www.w3.org/2001/XMLSchema#."""

    NS: Final = "http://www.w3.org/2001/XMLSchema#"

    anyURI: Final = NamedNode("http://www.w3.org/2001/XMLSchema#anyURI")
    """A web address."""

    boolean: Final = NamedNode("http://www.w3.org/2001/XMLSchema#boolean")
    """True or false."""

    date: Final = NamedNode("http://www.w3.org/2001/XMLSchema#date")
    """A date."""

    dateTime: Final = NamedNode("http://www.w3.org/2001/XMLSchema#dateTime")
    """A date with a time."""

    decimal: Final = NamedNode("http://www.w3.org/2001/XMLSchema#decimal")
    """A decimal number."""

    double: Final = NamedNode("http://www.w3.org/2001/XMLSchema#double")
    """A floating-point number."""

    integer: Final = NamedNode("http://www.w3.org/2001/XMLSchema#integer")
    """A whole number."""

    string: Final = NamedNode("http://www.w3.org/2001/XMLSchema#string")
    """Text."""
